import type { MemberLimits } from './people-store.ts'

export interface NewInvitation {
  readonly id: string
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
  readonly note: string | null
  readonly maxUses: number
  readonly createdMs: number
  readonly expiresMs: number
}

export interface InvitationRecord extends Omit<NewInvitation, 'codeHash'> {
  readonly uses: number
}

/** `unusable`: it is used up, over or gone, or its user is blocked. */
export type AcceptOutcome = 'joined' | 'is_member' | 'unusable' | 'island_full' | 'user_full'

interface Acceptance {
  readonly userKey: number
  readonly atMs: number
  /** Of the line in the log. */
  readonly entryId: string
}

/** What lets people into islands without having to ask. */
export interface InvitationsStore {
  /** False when as many that are not over belong to the island as may; holds under simultaneous calls. */
  readonly insert: (islandKey: number, invitation: NewInvitation, max: number) => Promise<boolean>
  /** Newest first. */
  readonly list: (islandKey: number) => Promise<readonly InvitationRecord[]>
  /** The island that a code leads to, and whether it lets somebody in now. */
  readonly find: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly islandId: string; readonly isUsable: boolean } | undefined>
  /** Makes a user a member and uses the invitation once; a member uses nothing up. */
  readonly accept: (
    codeHash: Uint8Array,
    acceptance: Acceptance,
    limits: MemberLimits,
  ) => Promise<AcceptOutcome>
  /** Of an island that the user hosts; false where there is no such. */
  readonly delete: (id: string, hostKey: number) => Promise<boolean>
  /** @returns how many */
  readonly deleteExpired: (untilMs: number) => Promise<number>
}
