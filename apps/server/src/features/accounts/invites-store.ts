export interface NewInvite {
  readonly id: string
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
  readonly note: string | null
  readonly maxUses: number
  /** The operator's name. */
  readonly createdBy: string
  readonly createdMs: number
  readonly expiresMs: number
}

export interface InviteRecord extends Omit<NewInvite, 'codeHash'> {
  readonly uses: number
}

/** What lets people register where registration takes an invite. One use goes with each user that is made. */
export interface InvitesStore {
  /** @throws TotalReached when there are `limit` */
  readonly insert: (invite: NewInvite, limit: number) => Promise<InviteRecord>
  /** Newest first. */
  readonly list: () => Promise<readonly InviteRecord[]>
  /** The id of the invite by whose code somebody could register now. */
  readonly findUsable: (codeHash: Uint8Array, nowMs: number) => Promise<string | undefined>
  readonly delete: (id: string) => Promise<boolean>
  /** @returns how many */
  readonly deleteExpired: (untilMs: number) => Promise<number>
}
