import { getSignInOptions } from '@astropelago/contract/accounts'
import type { AnswerBody } from '@astropelago/contract/route'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

type SignInOptions = AnswerBody<typeof getSignInOptions>

/** What most servers offer. Where one offers less, it refuses with a sentence that says so. */
const usual: SignInOptions = { registration: 'open', isDemoOn: true, canSendMail: false }

/** What this server offers, asked when the dialog opens; until it has answered, the usual. */
export function useSignInOptions(isOpen: boolean): SignInOptions {
  const { data = usual } = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(getSignInOptions, { signal }),
    enabled: isOpen,
    retry: false,
  })
  return data
}
