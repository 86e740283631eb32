import type { UserChanges } from '@astropelago/contract/accounts'

export interface NewUser {
  /** As typed at registration. */
  readonly username: string
  /** An argon2id PHC string; null for demo users, who have no password. */
  readonly passwordHash: string | null
  readonly isDemo: boolean
  readonly createdMs: number
  readonly expiresMs: number | null
}

export interface UserRecord extends NewUser {
  readonly key: number
  readonly name: string | null
  readonly avatar: string | null
  /** Hue of the drawn avatar, in degrees. Null means the hue derived from the username. */
  readonly hue: number | null
  readonly isNamePublic: boolean
  readonly disabledMs: number | null
}

export class InviteUnusable extends Error {
  override readonly name = 'InviteUnusable'
}

export interface SessionRecord {
  /** SHA-256 of the token in the cookie. */
  readonly tokenHash: Uint8Array
  readonly id: string
  /** Such as "Firefox on Linux". */
  readonly device: string | null
  readonly addressFamily: 4 | 6 | null
  readonly userKey: number
  readonly createdMs: number
  readonly lastUsedMs: number
}

export interface FoundSession {
  readonly session: SessionRecord
  readonly user: UserRecord
}

export type SessionTimes = Pick<SessionRecord, 'createdMs' | 'lastUsedMs'>

export interface AccountsStore {
  /** @param inviteHash takes one use. @throws UniqueViolation, ignoring case; InviteUnusable; TotalReached */
  readonly insertUser: (user: NewUser, inviteHash?: Uint8Array) => Promise<UserRecord>
  /** Ignores case. */
  readonly findUser: (username: string) => Promise<UserRecord | undefined>
  /** Stores a new hash of the same password. Does nothing if the password has changed meanwhile. */
  readonly renewPasswordHash: (userKey: number, from: string, to: string) => Promise<void>
  /** Also ends the user's sessions and API keys, and revokes codes. @returns false if the hash is not `from` */
  readonly replacePassword: (userKey: number, from: string, to: string) => Promise<boolean>
  /** Does the same with a one-time code, which is used up. Undefined if the code is not valid. */
  readonly resetPassword: (
    codeHash: Uint8Array,
    nowMs: number,
    to: string,
  ) => Promise<UserRecord | undefined>
  /** @param changes at least one */
  readonly update: (userKey: number, changes: UserChanges) => Promise<UserRecord | undefined>
  /** @param image WebP, or null to remove it. Uploading the same picture again keeps its name. */
  readonly setAvatar: (userKey: number, image: Uint8Array | null) => Promise<UserRecord | undefined>
  /** By the picture's name; undefined also while its user is turned off. */
  readonly readAvatar: (name: string) => Promise<Uint8Array | undefined>
  readonly readAvatarOf: (userKey: number) => Promise<Uint8Array | undefined>
  readonly listExpiredUsers: (nowMs: number, limit: number) => Promise<readonly UserRecord[]>
  /** Deletes the user with all their sessions, devices and islands. @returns how many devices */
  readonly deleteUser: (userKey: number) => Promise<number>
  /** Turns a user off, or on again with null. All sessions end. An earlier time stays. */
  readonly setDisabled: (userKey: number, disabledMs: number | null) => Promise<void>

  /**
   * Ends the session of `replacedTokenHash`, and the oldest beyond `limit`, in one transaction.
   * @returns false if `verifiedHash` was replaced meanwhile
   */
  readonly startSession: (
    session: SessionRecord,
    replacedTokenHash: Uint8Array | null,
    limit: number,
    verifiedHash?: string,
  ) => Promise<boolean>
  /** Does not check whether the session is still alive. */
  readonly findSession: (tokenHash: Uint8Array) => Promise<FoundSession | undefined>
  readonly recordSessionUse: (tokenHash: Uint8Array, atMs: number) => Promise<void>
  /** Most recently used first. Includes expired sessions that have not been deleted yet. */
  readonly listSessions: (userKey: number) => Promise<readonly SessionRecord[]>
  readonly endSession: (tokenHash: Uint8Array) => Promise<SessionRecord | undefined>
  /** @returns how many ended, as the next ones do */
  readonly endSessions: (userKey: number) => Promise<number>
  readonly endOwnSession: (userKey: number, id: string) => Promise<SessionRecord | undefined>
  readonly endOtherSessions: (userKey: number, exceptTokenHash: Uint8Array) => Promise<number>
  readonly deleteSessions: (until: SessionTimes) => Promise<number>
  /** Those that don't exist, expired by these times, or whose user is off or has expired at `nowMs`. */
  readonly findEndedSessions: (
    tokenHashes: readonly Uint8Array[],
    until: SessionTimes & { readonly nowMs: number },
  ) => Promise<readonly Uint8Array[]>
}
