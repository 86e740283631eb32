import type { Figure, UserKind, UserSort } from '@astropelago/contract/operator'
import type { PagePosition } from '../../../page-position.ts'

export interface OperatorUserRecord {
  readonly key: number
  readonly username: string
  readonly name: string | null
  /** The name of the picture. */
  readonly avatar: string | null
  readonly isDemo: boolean
  readonly createdMs: number
  /** When an operator turned the account off; null while it is on. */
  readonly disabledMs: number | null
  /** Since when and why the relay carries nobody to the user's islands. */
  readonly relayStopped: { readonly atMs: number; readonly reason: string } | null
  /** Since when an operator trusts the user as a host. */
  readonly trustedMs: number | null
  readonly deviceCount: number
  readonly sessionCount: number
  /** Of the sessions that are left. */
  readonly lastUsedMs: number | null
}

export type UserOrder =
  /** Those whose usernames come later. */
  | { readonly by: 'username'; readonly after: string }
  /** The last first: who came, or was seen, before that, and of them those with earlier usernames. */
  | { readonly by: Exclude<UserSort, 'username'>; readonly after: PagePosition }

export interface OperatorUsersQuery {
  /** In the username or the name, without regard to case. */
  readonly search?: string | undefined
  readonly only?: UserKind | undefined
  /** Who the operators are, folded. */
  readonly operators: ReadonlySet<string>
  readonly order: UserOrder
  readonly limit: number
}

/** Users as operators look for them. */
export interface OperatorUsersStore {
  readonly list: (query: OperatorUsersQuery) => Promise<readonly OperatorUserRecord[]>
  readonly find: (username: string) => Promise<OperatorUserRecord | undefined>
  /** One that is stopped already keeps its time. */
  readonly setRelayStopped: (
    userKey: number,
    stopped: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<void>
  /** One who is trusted already keeps the time. */
  readonly setTrusted: (userKey: number, trustedMs: number | null) => Promise<void>
  readonly figures: () => Promise<readonly Figure[]>
}
