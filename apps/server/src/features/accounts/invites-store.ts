export interface InviteRecord {
  readonly id: string
  readonly note: string | null
  readonly maxUses: number
  readonly uses: number
  readonly createdBy: string
  readonly createdMs: number
  readonly expiresMs: number
}

interface NewInvite extends Omit<InviteRecord, 'uses'> {
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
}

export interface InvitesStore {
  /** @throws TotalReached if there are `limit` invites already */
  readonly insert: (invite: NewInvite, limit: number) => Promise<InviteRecord>
  /** Newest first. */
  readonly list: () => Promise<readonly InviteRecord[]>
  readonly findUsable: (codeHash: Uint8Array, nowMs: number) => Promise<string | undefined>
  readonly delete: (id: string) => Promise<boolean>
  readonly deleteExpired: (untilMs: number) => Promise<void>
}
