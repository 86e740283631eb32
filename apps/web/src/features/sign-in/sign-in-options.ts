import { getSignInOptions } from '@astropelago/contract/accounts'
import type { AnswerBody } from '@astropelago/contract/route'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

type SignInOptions = AnswerBody<typeof getSignInOptions>

/** The options of most servers. A server that offers less rejects the attempt with an explanation. */
const usual: SignInOptions = { registration: 'open', isDemoOn: true, canSendMail: false }

/** This server's sign-in options, loaded when the dialog opens. Until then, the usual ones. */
export function useSignInOptions(isOpen: boolean): SignInOptions {
  const { data = usual } = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(getSignInOptions, { signal }),
    enabled: isOpen,
    retry: false,
  })
  return data
}
