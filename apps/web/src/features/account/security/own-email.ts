import { changeEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
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

export function useChangeEmail() {
  const client = useQueryClient()
  return async (body: EmailChange): Promise<OwnEmail> => {
    const email = await call(changeEmail, { body })
    await client.cancelQueries(ownEmailQuery)
    client.setQueryData(ownEmailQuery.queryKey, email)
    return email
  }
}
