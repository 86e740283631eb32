import { changeEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

// Asked for anew when the tab has the focus again: the link in the mail opened another one.
export const ownEmailQuery = queryOptions({
  queryKey: ['own-email'],
  queryFn: ({ signal }) => call(getOwnEmail, { signal }),
})

interface EmailChange {
  /** Null goes without one. */
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
