export type CodePurpose = 'password' | 'email'

export interface NewCode {
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
  readonly userKey: number
  readonly purpose: CodePurpose
  /** The address to be confirmed; null for a password. */
  readonly email: string | null
  readonly expiresMs: number
}

export interface StoredEmail {
  /** The confirmed address. */
  readonly address: string | null
  /** The one that was sent a code which still holds. */
  readonly pending: { readonly address: string; readonly expiresMs: number } | null
}

export interface EmailOwner {
  readonly userKey: number
  readonly username: string
  readonly address: string
}

export interface ConfirmedEmail extends EmailOwner {
  /** The address that the user had before. */
  readonly former: string | null
}

/** One-time codes, and the addresses that they confirm. */
export interface OneTimeCodesStore {
  /** Of more than `limit` codes of a user for a purpose the oldest go. */
  readonly insert: (code: NewCode, limit: number) => Promise<void>
  /** Whose password a code can set now. */
  readonly findPasswordCode: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly userKey: number; readonly username: string } | undefined>
  /** @returns how many */
  readonly deleteExpired: (nowMs: number) => Promise<number>

  readonly findEmail: (userKey: number, nowMs: number) => Promise<StoredEmail>
  /** Users whose confirmed address it is, without regard to case, and no demo users. */
  readonly findEmailOwners: (address: string, limit: number) => Promise<readonly EmailOwner[]>
  /**
   * Removes the address and all codes that went to it or would bring a new one.
   * @returns the address
   */
  readonly removeEmail: (userKey: number) => Promise<string | null>
  /**
   * Uses up a code and makes its address the user's; codes that went to the former one hold no longer.
   * @returns undefined where no such code holds
   */
  readonly confirmEmail: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<ConfirmedEmail | undefined>
}
