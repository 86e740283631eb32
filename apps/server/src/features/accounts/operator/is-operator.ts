import { foldUsername } from '../fold-username.ts'

export type IsOperator = (user: { readonly username: string; readonly isDemo: boolean }) => boolean

/** @param operators the folded usernames from OPERATORS */
export function isOperatorOf(operators: ReadonlySet<string>): IsOperator {
  // A demo user's name is random.
  return ({ username, isDemo }) => !isDemo && operators.has(foldUsername(username))
}
