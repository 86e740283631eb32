export type CodePurpose = 'password' | 'email'

export interface NewCode {
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
  readonly userKey: number
  readonly purpose: CodePurpose
  /** The address to confirm; null for a password code. */
  readonly email: string | null
  readonly expiresMs: number
}

export interface StoredEmail {
  /** The confirmed address. */
  readonly address: string | null
  /** The address that was sent a code which is still valid. */
  readonly pending: { readonly address: string; readonly expiresMs: number } | null
}

export interface EmailOwner {
  readonly userKey: number
  readonly username: string
  readonly address: string
}

export interface ConfirmedEmail extends EmailOwner {
  /** The user's previous address. */
  readonly former: string | null
}

/** One-time codes, and the e-mail addresses that they confirm. */
export interface OneTimeCodesStore {
  /** Keeps at most `limit` codes for a user and purpose, and deletes the oldest. */
  readonly insert: (code: NewCode, limit: number) => Promise<void>
  /** The user whose password this code can set now. */
  readonly findPasswordCode: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly userKey: number; readonly username: string } | undefined>
  /** @returns how many were deleted */
  readonly deleteExpired: (nowMs: number) => Promise<number>

  readonly findEmail: (userKey: number, nowMs: number) => Promise<StoredEmail>
  /** Users who have confirmed this address, ignoring case, except demo users. */
  readonly findEmailOwners: (address: string, limit: number) => Promise<readonly EmailOwner[]>
  /**
   * Removes the address, all codes that were sent to it, and all codes that would set a new one.
   * @returns the address
   */
  readonly removeEmail: (userKey: number) => Promise<string | null>
  /**
   * Uses up a code and gives its address to the user. Codes sent to the previous address become invalid.
   * @returns undefined if the code is not valid
   */
  readonly confirmEmail: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<ConfirmedEmail | undefined>
}
