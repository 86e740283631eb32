import { brokenPasswordRule, type PasswordRule } from '@astropelago/contract/accounts'
import { passwordMaxLength, passwordMinLength } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'

export const passwordRuleTexts: Readonly<Record<PasswordRule, string>> = {
  'password-short': t`Password must be at least ${plural(passwordMinLength, { one: '# character', other: '# characters' })}`,
  'password-long': t`Password must be at most ${plural(passwordMaxLength, { one: '# character', other: '# characters' })}`,
}

/** As far as a form can check. */
export function newPasswordProblem(password: string): string | undefined {
  if (password === '') return t`Enter a new password`
  const broken = brokenPasswordRule(password)
  return broken && passwordRuleTexts[broken]
}

/** The field of refusals of the password itself. */
export const refusedPasswordField = {
  weak_password: 'new-password',
  common_password: 'new-password',
} as const
