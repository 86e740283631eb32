import type { AccessPolicy } from '@astropelago/contract/islands'
import type { IslandUser } from '../islands-store.ts'

export interface PersonRecord {
  readonly userKey: number
  readonly username: string
  readonly name: string | null
  readonly avatar: string | null
  /** When the person joined, asked or was blocked. */
  readonly atMs: number
}

export interface MembershipRecord {
  readonly islandId: string
  readonly atMs: number
  /** Null for a member. */
  readonly requestText: string | null
}

export interface MemberLimits {
  readonly perIsland: number
  /** Islands that a user has joined or asked to join. */
  readonly perUser: number
}

export interface NewMember extends IslandUser {
  readonly atMs: number
  /** The id of the line in the log. */
  readonly entryId: string
}

type Full = 'island_full' | 'user_full'

/** All limits hold under simultaneous calls. */
export interface PeopleStore {
  /** Last joined first. `afterKey` is the last user of the page before. */
  readonly listMembers: (
    islandKey: number,
    page: { readonly afterKey?: number | undefined; readonly limit: number },
  ) => Promise<readonly PersonRecord[]>
  /** `changed`: the island is gone, it has another access policy now, or the user was blocked. */
  readonly join: (
    member: NewMember,
    access: AccessPolicy,
    limits: MemberLimits,
  ) => Promise<'joined' | 'is_member' | 'changed' | Full>
  /** Records a request. A second request of the same user changes its text. */
  readonly ask: (
    request: IslandUser & { readonly atMs: number; readonly text: string },
    limits: MemberLimits,
  ) => Promise<'asked' | 'is_member' | 'changed' | 'requests_full' | 'user_full'>
  /** Undefined if the user was neither. */
  readonly leave: (islandKey: number, userKey: number) => Promise<'member' | 'asked' | undefined>
  readonly removeMember: (islandKey: number, userKey: number) => Promise<boolean>
  /** The longest waiting first. */
  readonly listRequests: (
    islandKey: number,
  ) => Promise<readonly (PersonRecord & { readonly text: string })[]>
  /** `gone`: there is no such request. */
  readonly letIn: (member: NewMember, limits: MemberLimits) => Promise<'answered' | 'gone' | Full>
  readonly turnAway: (islandKey: number, userKey: number) => Promise<boolean>
  /** Last blocked first. */
  readonly listBlocks: (islandKey: number) => Promise<readonly PersonRecord[]>
  /** Ends a membership or request too. False if the limit is reached. */
  readonly block: (
    islandKey: number,
    userKey: number,
    limit: { readonly atMs: number; readonly max: number },
  ) => Promise<boolean>
  readonly unblock: (islandKey: number, userKey: number) => Promise<boolean>
  /** Oldest first. */
  readonly listOf: (userKey: number) => Promise<readonly MembershipRecord[]>
}

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

/** All limits hold under simultaneous calls. */
export interface InvitationsStore {
  /** False if the island already has `max` usable ones. */
  readonly insert: (islandKey: number, invitation: NewInvitation, max: number) => Promise<boolean>
  /** Newest first. */
  readonly list: (islandKey: number) => Promise<readonly InvitationRecord[]>
  readonly find: (
    codeHash: Uint8Array,
    nowMs: number,
  ) => Promise<{ readonly islandId: string; readonly isUsable: boolean } | undefined>
  /** A member uses nothing up. `unusable`: used up, expired or gone, or the user is blocked. */
  readonly accept: (
    codeHash: Uint8Array,
    acceptance: Omit<NewMember, 'islandKey'>,
    limits: MemberLimits,
  ) => Promise<'joined' | 'is_member' | 'unusable' | Full>
  /** False unless the user hosts its island. */
  readonly delete: (id: string, hostKey: number) => Promise<boolean>
  readonly deleteExpired: (untilMs: number) => Promise<number>
}
