import { DomainError } from '../domain-error.ts'
import type { UserCaller } from './callers.ts'

/** Refuses what demo users may not do: they have no password, and are gone within a day. */
export function refuseDemo({ user }: { readonly user: UserCaller }): void {
  if (user.isDemo) throw new DomainError('demo_account')
}
