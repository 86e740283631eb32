export type CodePurpose = 'password' | 'email'

export interface NewCode {
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
  readonly userKey: number
  readonly purpose: CodePurpose
  readonly email: string | null
  readonly expiresMs: number
}

export interface EmailOwner {
  readonly userKey: number
  readonly username: string
  readonly address: string
}

export interface OneTimeCodesStore {
  /** Keeps at most `limit` codes for a user and purpose, and deletes the oldest. */
  readonly insert: (code: NewCode, limit: number) => Promise<void>
  readonly findPasswordCode: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly userKey: number; readonly username: string } | undefined>
  readonly deleteExpired: (nowMs: number) => Promise<number>

  /** The confirmed address, and the one that was sent a code which is still valid. */
  readonly findEmail: (
    userKey: number,
    nowMs: number,
  ) => Promise<{
    readonly address: string | null
    readonly pending: { readonly address: string; readonly expiresMs: number } | null
  }>
  /** Users who have confirmed this address, ignoring case, except demo users. */
  readonly findEmailOwners: (address: string, limit: number) => Promise<readonly EmailOwner[]>
  /** Removes and returns the address, with all codes sent to it and all that would set a new one. */
  readonly removeEmail: (userKey: number) => Promise<string | null>
  /** Uses up a code. Codes sent to the previous address become invalid. Undefined if the code is not valid. */
  readonly confirmEmail: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<(EmailOwner & { readonly former: string | null }) | undefined>
}
