import type { Figure, UserKind, UserSort } from '@astropelago/contract/operator'
import type { PagePosition } from '../../../page-position.ts'
import type { UserRecord } from '../accounts-store.ts'

export interface OperatorUserRecord extends Pick<
  UserRecord,
  'key' | 'username' | 'name' | 'avatar' | 'isDemo' | 'createdMs' | 'disabledMs'
> {
  /** When and why the relay was stopped for the user's islands; null if it is not. */
  readonly relayStopped: { readonly atMs: number; readonly reason: string } | null
  /** When an operator marked the user as a trusted host. */
  readonly trustedMs: number | null
  readonly deviceCount: number
  readonly sessionCount: number
  /** When one of the remaining sessions was last used. */
  readonly lastUsedMs: number | null
}

export type UserOrder =
  /** Users whose names sort after this one. */
  | { readonly by: 'username'; readonly after: string }
  /** Newest first: users created or last seen before this position. Equal times go by username, backwards. */
  | { readonly by: Exclude<UserSort, 'username'>; readonly after: PagePosition }

interface OperatorUsersQuery {
  /** Matches the username or the name, ignoring case. */
  readonly search?: string | undefined
  readonly only?: UserKind | undefined
  /** Folded usernames of the operators. */
  readonly operators: ReadonlySet<string>
  readonly order: UserOrder
  readonly limit: number
}

/** Users, for operators. */
export interface OperatorUsersStore {
  readonly list: (query: OperatorUsersQuery) => Promise<readonly OperatorUserRecord[]>
  readonly find: (username: string) => Promise<OperatorUserRecord | undefined>
  /** If the relay is stopped already, the earlier time stays. */
  readonly setRelayStopped: (
    userKey: number,
    stopped: OperatorUserRecord['relayStopped'],
  ) => Promise<void>
  /** A user who is trusted already keeps the earlier time. */
  readonly setTrusted: (userKey: number, trustedMs: number | null) => Promise<void>
  readonly figures: () => Promise<readonly Figure[]>
}
