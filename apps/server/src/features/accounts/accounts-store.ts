import type { UserChanges } from '@astropelago/contract/accounts'

export interface UserRecord {
  /** Internal; people see `username`. */
  readonly key: number
  /** As it was typed at registration. */
  readonly username: string
  /** An argon2id PHC string; null for demo users, who have no password. */
  readonly passwordHash: string | null
  readonly name: string | null
  /** The name of the picture. */
  readonly avatar: string | null
  /** Of the avatar that is drawn, in degrees; null: the one that the username gives. */
  readonly hue: number | null
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

/** An invite that can't be used, or not any more. */
export class InviteUnusable extends Error {
  override readonly name = 'InviteUnusable'
}

export interface SessionRecord {
  /** SHA-256 of the token in the cookie. */
  readonly tokenHash: Uint8Array
  /** By which its user names it. */
  readonly id: string
  /** Such as "Firefox on Linux". */
  readonly device: string | null
  readonly addressFamily: 4 | 6 | null
  readonly userKey: number
  readonly createdMs: number
  readonly lastUsedMs: number
}

/** What went with a user; nothing where there was none. */
export interface EndedUser {
  readonly deviceKeys: readonly number[]
  /** Those that the user hosted, with whom else they concerned: members, and who asked to be one. */
  readonly islands: readonly {
    readonly key: number
    readonly id: string
    readonly userKeys: readonly number[]
  }[]
  /** Those of others that had the user among their members, or something of the user in their logs. */
  readonly otherIslandKeys: readonly number[]
}

/** Users and their sessions. */
export interface AccountsStore {
  /**
   * @param inviteHash SHA-256 of an invite's code, of which one use goes with a user that is made
   * @throws UniqueViolation when the username is taken, in whatever case; InviteUnusable; TotalReached
   */
  readonly insertUser: (user: NewUser, inviteHash?: Uint8Array) => Promise<UserRecord>
  /** Without regard to case. */
  readonly findUser: (username: string) => Promise<UserRecord | undefined>
  /** Hashes the same password anew: nothing happens where it has been changed meanwhile. */
  readonly renewPasswordHash: (userKey: number, from: string, to: string) => Promise<void>
  /**
   * Changes the password that has the hash `from`, ends all the user's sessions and API keys and
   * revokes the codes that could change it again, all or nothing.
   * @returns whether it still was that password
   */
  readonly replacePassword: (userKey: number, from: string, to: string) => Promise<boolean>
  /** The same by a code, which is used up. @returns whose it was, undefined where no such code holds */
  readonly resetPassword: (
    codeHash: Uint8Array,
    nowMs: number,
    to: string,
  ) => Promise<UserRecord | undefined>
  /** @param changes at least one */
  readonly update: (userKey: number, changes: UserChanges) => Promise<UserRecord | undefined>
  /**
   * @param image as WebP, or null to go without. As long as a user has one, the same picture has the same name.
   */
  readonly setAvatar: (userKey: number, image: Uint8Array | null) => Promise<UserRecord | undefined>
  /** By its name; undefined also while its user is turned off. */
  readonly readAvatar: (name: string) => Promise<Uint8Array | undefined>
  readonly readAvatarOf: (userKey: number) => Promise<Uint8Array | undefined>
  /** Users whose time is up at `nowMs`, the longest expired first. */
  readonly listExpiredUsers: (nowMs: number, limit: number) => Promise<readonly UserRecord[]>
  /** Deletes the user with all sessions, devices and islands. */
  readonly deleteUser: (userKey: number) => Promise<EndedUser>
  /**
   * Turns a user off at a time, or on again with null; one who is off keeps the time. All sessions end,
   * so that none comes back to life.
   * @returns the keys of the devices
   */
  readonly setDisabled: (userKey: number, disabledMs: number | null) => Promise<readonly number[]>

  /**
   * Adds a session and deletes the one it replaces, both or neither; of a user who then has more than
   * `limit`, the oldest go too.
   * @param verifiedHash the hash that a password fitted: no session starts where it has been replaced
   * @returns the token hashes of those; undefined where none was started
   */
  readonly startSession: (
    session: SessionRecord,
    replacedTokenHash: Uint8Array | null,
    limit: number,
    verifiedHash?: string,
  ) => Promise<readonly Uint8Array[] | undefined>
  /** Whether it is still alive is for the caller to judge. */
  readonly findSession: (
    tokenHash: Uint8Array,
  ) => Promise<{ readonly session: SessionRecord; readonly user: UserRecord } | undefined>
  readonly noteSessionUse: (tokenHash: Uint8Array, atMs: number) => Promise<void>
  /** Last used first; those that are over too, until they are deleted. */
  readonly listSessions: (userKey: number) => Promise<readonly SessionRecord[]>
  /** Deletes one session and returns it. */
  readonly endSession: (tokenHash: Uint8Array) => Promise<SessionRecord | undefined>
  /** Deletes all sessions of a user; returns how many. */
  readonly endSessions: (userKey: number) => Promise<number>
  /** The same by its id, of that user only. */
  readonly endOwnSession: (userKey: number, id: string) => Promise<SessionRecord | undefined>
  /** Deletes all sessions of a user but one. @returns the token hashes of those */
  readonly endOtherSessions: (
    userKey: number,
    keptTokenHash: Uint8Array,
  ) => Promise<readonly Uint8Array[]>
  /** Deletes the sessions created, or last used, at these times or before; returns how many. */
  readonly deleteSessions: (until: {
    readonly createdMs: number
    readonly lastUsedMs: number
  }) => Promise<number>
  /**
   * Of these those that are there no more, were created or last used at these times or before, or whose
   * user is turned off or has expired at `nowMs`.
   */
  readonly findEndedSessions: (
    tokenHashes: readonly Uint8Array[],
    until: {
      readonly nowMs: number
      readonly createdMs: number
      readonly lastUsedMs: number
    },
  ) => Promise<readonly Uint8Array[]>
}
