import type { Figure, UserKind, UserSort } from '@astropelago/contract/operator'
import type { PagePosition } from '../../../page-position.ts'
import type { UserRecord } from '../accounts-store.ts'

export interface OperatorUserRecord extends Pick<
  UserRecord,
  'key' | 'username' | 'name' | 'avatar' | 'isDemo' | 'createdMs' | 'disabledMs'
> {
  readonly relayStopped: { readonly atMs: number; readonly reason: string } | null
  readonly trustedMs: number | null
  readonly deviceCount: number
  readonly sessionCount: number
  readonly lastUsedMs: number | null
}

export type UserOrder =
  | { readonly by: 'username'; readonly after: string }
  | { readonly by: Exclude<UserSort, 'username'>; readonly after: PagePosition }

interface OperatorUsersQuery {
  /** Matches the username or the name, ignoring case. */
  readonly search?: string | undefined
  readonly only?: UserKind | undefined
  readonly operators: ReadonlySet<string>
  readonly order: UserOrder
  readonly limit: number
}

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
