import { changeEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

// Fetched again when the tab regains focus, because the confirmation link in an e-mail opens another
// tab.
export const ownEmailQuery = queryOptions({
  queryKey: ['own-email'],
  queryFn: ({ signal }) => call(getOwnEmail, { signal }),
})

interface EmailChange {
  /** Null removes the address. */
  readonly address: string | null
  readonly password: string
}

export function useChangeEmail(onChanged: (email: OwnEmail) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: EmailChange) => call(changeEmail, { body }),
    onSuccess: async (email) => {
      await client.cancelQueries(ownEmailQuery)
      client.setQueryData(ownEmailQuery.queryKey, email)
      onChanged(email)
    },
  })
}
