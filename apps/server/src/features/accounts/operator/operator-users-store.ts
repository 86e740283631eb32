import type { Figure } from '@astropelago/contract/operator'

export interface OperatorUserRecord {
  readonly key: number
  readonly username: string
  readonly name: string | null
  readonly isDemo: boolean
  readonly createdMs: number
  /** When an operator turned the account off; null while it is on. */
  readonly disabledMs: number | null
  readonly deviceCount: number
  readonly sessionCount: number
  /** Of the sessions that are left. */
  readonly lastUsedMs: number | null
}

export interface OperatorUsersQuery {
  /** In the username or the name, without regard to case. */
  readonly search?: string | undefined
  /** Those whose usernames come later. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Users as operators look for them. */
export interface OperatorUsersStore {
  /** By username, without regard to case. */
  readonly list: (query: OperatorUsersQuery) => Promise<readonly OperatorUserRecord[]>
  readonly find: (username: string) => Promise<OperatorUserRecord | undefined>
  readonly figures: () => Promise<readonly Figure[]>
}
