import type { UserChanges } from '@astropelago/contract/accounts'

export interface UserRecord {
  /** Internal; people see `username`. */
  readonly key: number
  /** As it was typed at registration. */
  readonly username: string
  /** An argon2id PHC string; null for demo users, who have no password. */
  readonly passwordHash: string | null
  readonly name: string | null
  readonly avatar: string | null
  readonly isNamePublic: boolean
  readonly isDemo: boolean
  readonly createdMs: number
  /** From when on a demo user counts as gone; null for everybody else. */
  readonly expiresMs: number | null
  /** When an operator turned the account off; null while it is on. */
  readonly disabledMs: number | null
}

export interface NewUser {
  readonly username: string
  readonly passwordHash: string | null
  readonly isDemo: boolean
  readonly createdMs: number
  readonly expiresMs: number | null
}

export interface SessionRecord {
  /** SHA-256 of the token in the cookie. */
  readonly tokenHash: Uint8Array
  readonly userKey: number
  readonly createdMs: number
  readonly lastUsedMs: number
}

/** Users and their sessions. */
export interface AccountsStore {
  /** @throws UniqueViolation when the username is taken, in whatever case; TotalReached */
  readonly insertUser: (user: NewUser) => Promise<UserRecord>
  /** Without regard to case. */
  readonly findUser: (username: string) => Promise<UserRecord | undefined>
  readonly setPasswordHash: (userKey: number, passwordHash: string) => Promise<void>
  /** @param changes at least one */
  readonly update: (userKey: number, changes: UserChanges) => Promise<UserRecord | undefined>
  /** Users whose time is up at `nowMs`, the longest expired first. */
  readonly listExpiredUsers: (nowMs: number, limit: number) => Promise<readonly UserRecord[]>
  /**
   * Deletes the user with all sessions and devices.
   * @returns the keys of the devices; none also where there is no such user
   */
  readonly deleteUser: (userKey: number) => Promise<readonly number[]>
  /**
   * Turns a user off at a time, or on again with null; one who is off keeps the time. All sessions end,
   * so that none comes back to life.
   * @returns the keys of the devices
   */
  readonly setDisabled: (userKey: number, disabledMs: number | null) => Promise<readonly number[]>

  /**
   * Adds a session and deletes the one it replaces, both or neither; of a user who then has more than
   * `limit`, the oldest go too.
   * @returns the token hashes of those
   */
  readonly startSession: (
    session: SessionRecord,
    replacedTokenHash: Uint8Array | null,
    limit: number,
  ) => Promise<readonly Uint8Array[]>
  /** Whether it is still alive is for the caller to judge. */
  readonly findSession: (
    tokenHash: Uint8Array,
  ) => Promise<{ readonly session: SessionRecord; readonly user: UserRecord } | undefined>
  readonly noteSessionUse: (tokenHash: Uint8Array, atMs: number) => Promise<void>
  /** Deletes one session and returns it. */
  readonly endSession: (tokenHash: Uint8Array) => Promise<SessionRecord | undefined>
  /** Deletes all sessions of a user; returns how many. */
  readonly endSessions: (userKey: number) => Promise<number>
  /** Deletes the sessions created, or last used, at these times or before; returns how many. */
  readonly deleteSessions: (until: {
    readonly createdMs: number
    readonly lastUsedMs: number
  }) => Promise<number>
}
