import { brokenPasswordRule, type PasswordRule } from '@astropelago/contract/accounts'
import { passwordMaxLength, passwordMinLength } from '@astropelago/contract/limits'
import { ApiError } from './api-error.ts'

export const passwordRuleTexts: Readonly<Record<PasswordRule, string>> = {
  'password-short': `Password must be at least ${passwordMinLength} characters`,
  'password-long': `Password must be at most ${passwordMaxLength} characters`,
}

/** What is wrong with a new password, as far as a form can check. */
export function newPasswordProblem(password: string): string | undefined {
  if (password === '') return 'Enter a new password'
  const broken = brokenPasswordRule(password)
  return broken && passwordRuleTexts[broken]
}

/** Whether the server refused the password itself. */
export function isNewPasswordRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'weak_password' || error.code === 'common_password')
  )
}
