import { foldUsername } from '../fold-username.ts'

export type IsOperator = (user: { readonly username: string; readonly isDemo: boolean }) => boolean

/** @param operators the usernames that OPERATORS names, folded */
export function isOperatorOf(operators: ReadonlySet<string>): IsOperator {
  // What a demo user is called is chance.
  return ({ username, isDemo }) => !isDemo && operators.has(foldUsername(username))
}
