import {
  brokenCredentialRule,
  type Credentials,
  demoLogin,
  passwordLogin,
  register,
} from '@astropelago/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import {
  credentialsProblem,
  demoProblem,
  ruleProblems,
  type SignInProblem,
} from './sign-in-problem.ts'

export type SignInWay = 'sign-in' | 'register' | 'demo'

interface Attempt {
  readonly way: SignInWay
  readonly credentials: Credentials
}

interface Outcome {
  readonly onSignedIn: () => void
  readonly onProblem: (problem: SignInProblem, attempt: Attempt) => void
}

/** Tries one of the three ways in. It stays busy after a success, until the page has reloaded. */
export function useSignInAttempt({ onSignedIn, onProblem }: Outcome) {
  const mutation = useMutation({
    mutationFn: ({ way, credentials }: Attempt) => calls[way](credentials),
    onSuccess: onSignedIn,
    onError: (error, attempt) =>
      onProblem(attempt.way === 'demo' ? demoProblem(error) : credentialsProblem(error), attempt),
  })

  const start = (way: SignInWay, typed: Credentials) => {
    const credentials = { username: typed.username.trim(), password: typed.password }
    const broken = way === 'demo' ? undefined : brokenCredentialRule(credentials)
    if (broken === undefined) mutation.mutate({ way, credentials })
    else onProblem(ruleProblems[broken], { way, credentials })
  }
  return { start, isBusy: mutation.isPending || mutation.isSuccess }
}

const calls: Readonly<Record<SignInWay, (credentials: Credentials) => Promise<unknown>>> = {
  'sign-in': (body) => call(passwordLogin, { body }),
  register: (body) => call(register, { body }),
  demo: () => call(demoLogin),
}
