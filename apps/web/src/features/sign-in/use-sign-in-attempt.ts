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
  inviteMissing,
  ruleProblems,
  type SignInProblem,
} from './sign-in-problem.ts'

export type SignInWay = 'sign-in' | 'register' | 'demo'

interface Attempt {
  readonly way: SignInWay
  readonly credentials: Credentials
  /** The invite for a registration; `''` for none. */
  readonly invite: string
}

interface SignInAttempt {
  /** Whether registration uses an invite. */
  readonly takesInvite: boolean
  readonly onSignedIn: () => void
  readonly onProblem: (problem: SignInProblem, attempt: Attempt) => void
}

/** Tries one of the three ways to sign in. Stays busy after success until the page has reloaded. */
export function useSignInAttempt({ takesInvite, onSignedIn, onProblem }: SignInAttempt) {
  const mutation = useMutation({
    mutationFn: (attempt: Attempt) => calls[attempt.way](attempt),
    onSuccess: onSignedIn,
    onError: (error, attempt) =>
      onProblem(attempt.way === 'demo' ? demoProblem(error) : credentialsProblem(error), attempt),
  })

  const start = (way: SignInWay, typed: Credentials & { readonly invite: string }) => {
    const credentials = { username: typed.username.trim(), password: typed.password }
    const attempt = { way, credentials, invite: typed.invite.trim() }
    const broken = way === 'demo' ? undefined : brokenCredentialRule(credentials)
    if (broken !== undefined) onProblem(ruleProblems[broken], attempt)
    else if (way === 'register' && takesInvite && attempt.invite === '') {
      onProblem(inviteMissing, attempt)
    } else mutation.mutate(attempt)
  }
  return { start, isBusy: mutation.isPending || mutation.isSuccess }
}

const calls: Readonly<Record<SignInWay, (attempt: Attempt) => Promise<unknown>>> = {
  'sign-in': ({ credentials }) => call(passwordLogin, { body: credentials }),
  register: ({ credentials, invite }) =>
    call(register, { body: invite === '' ? credentials : { ...credentials, invite } }),
  demo: () => call(demoLogin),
}
