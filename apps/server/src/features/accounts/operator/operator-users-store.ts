export interface OperatorUserRecord {
  readonly key: number
  readonly username: string
  readonly name: string | null
  readonly isDemo: boolean
  readonly createdMs: number
  readonly disabledMs: number | null
  readonly deviceCount: number
  readonly sessionCount: number
  readonly lastUsedMs: number | null
}

export interface OperatorUsersQuery {
  /** In the username or the name, without regard to case. */
  readonly search?: string | undefined
  /** Folded. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Users as operators look for them. */
export interface OperatorUsersStore {
  /** By username. */
  readonly list: (query: OperatorUsersQuery) => Promise<readonly OperatorUserRecord[]>
}
