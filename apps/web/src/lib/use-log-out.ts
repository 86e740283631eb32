import { logout } from '@astropelago/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { call } from './call.ts'
import { forgetDrafts } from './kept-drafts.ts'

/** `goOn` should load a new document, so that none of the user's data stays in memory. */
export function useLogOut(goOn: () => void) {
  return useMutation({
    mutationFn: () => call(logout),
    onSuccess: () => {
      forgetDrafts()
      goOn()
    },
  })
}
