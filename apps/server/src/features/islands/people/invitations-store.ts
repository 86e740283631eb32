import type { MemberLimits, NewMember } from './people-store.ts'

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

/** `unusable`: it is used up, expired or gone, or the user is blocked. */
export type AcceptOutcome = 'joined' | 'is_member' | 'unusable' | 'island_full' | 'user_full'

/** Invitations to islands. They let users in without asking. All limits hold under simultaneous calls. */
export interface InvitationsStore {
  /** False if the island already has `max` usable ones. */
  readonly insert: (islandKey: number, invitation: NewInvitation, max: number) => Promise<boolean>
  /** Newest first. */
  readonly list: (islandKey: number) => Promise<readonly InvitationRecord[]>
  /** The island that a code leads to, and whether the code can be used now. */
  readonly find: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly islandId: string; readonly isUsable: boolean } | undefined>
  /** Makes a user a member and uses the invitation once. A member uses nothing up. */
  readonly accept: (
    codeHash: Uint8Array,
    acceptance: Omit<NewMember, 'islandKey'>,
    limits: MemberLimits,
  ) => Promise<AcceptOutcome>
  /** False if the user hosts no island with such an invitation. */
  readonly delete: (id: string, hostKey: number) => Promise<boolean>
  /** @returns how many */
  readonly deleteExpired: (untilMs: number) => Promise<number>
}
