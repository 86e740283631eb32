import { logout } from '@astropelago/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { call } from './call.ts'
import { forgetDrafts } from './kept-drafts.ts'

/**
 * Ends the session on the server, then goes on: with a full load of a page, so that nothing of
 * the user stays in memory.
 */
export function useLogOut(goOn: () => void) {
  return useMutation({
    mutationFn: () => call(logout),
    onSuccess: () => {
      forgetDrafts()
      goOn()
    },
  })
}
