import type { AccessPolicy } from '@astropelago/contract/islands'
import type { IslandUser } from '../island-viewers.ts'

export interface PersonRecord {
  readonly userKey: number
  readonly username: string
  readonly name: string | null
  /** The name of the picture. */
  readonly avatar: string | null
  /** When the person joined, asked or was blocked. */
  readonly atMs: number
}

export interface MembershipRecord {
  readonly islandId: string
  /** When the user joined or asked. */
  readonly atMs: number
  /** What the user wrote when asking; null for a member. */
  readonly requestText: string | null
}

export interface MemberLimits {
  readonly perIsland: number
  /** Islands that a user has joined or asked to join. */
  readonly perUser: number
}

export interface NewMember extends IslandUser {
  readonly atMs: number
  /** The id of the line that the log gets. */
  readonly entryId: string
}

export interface NewRequest extends IslandUser {
  readonly atMs: number
  readonly text: string
}

/** `changed`: meanwhile the island was deleted, its access policy changed, or the user was blocked. */
export type JoinOutcome = 'joined' | 'is_member' | 'changed' | 'island_full' | 'user_full'
export type AskOutcome = 'asked' | 'is_member' | 'changed' | 'requests_full' | 'user_full'
/** `gone`: there is no such request. */
export type AnswerOutcome = 'answered' | 'gone' | 'island_full' | 'user_full'

/** Who is a member of islands, asks to be one, or is blocked. All limits hold under simultaneous calls. */
export interface PeopleStore {
  /** Last joined first. `afterKey` is the last user of the page before. */
  readonly listMembers: (
    islandKey: number,
    page: { readonly afterKey?: number | undefined; readonly limit: number },
  ) => Promise<readonly PersonRecord[]>
  readonly countMembers: (islandKey: number) => Promise<number>
  /** Lets a user in if the island's access policy is still the one that the caller saw. */
  readonly join: (
    member: NewMember,
    access: AccessPolicy,
    limits: MemberLimits,
  ) => Promise<JoinOutcome>
  /** Records a request. A second request of the same user changes its text. */
  readonly ask: (request: NewRequest, limits: MemberLimits) => Promise<AskOutcome>
  /** Ends a membership or withdraws a request; undefined if there is neither. */
  readonly leave: (islandKey: number, userKey: number) => Promise<'member' | 'asked' | undefined>
  /** False if the user is no member. */
  readonly removeMember: (islandKey: number, userKey: number) => Promise<boolean>
  /** The longest waiting first. */
  readonly listRequests: (
    islandKey: number,
  ) => Promise<readonly (PersonRecord & { readonly text: string })[]>
  readonly letIn: (member: NewMember, limits: MemberLimits) => Promise<AnswerOutcome>
  /** False if there is no such request. */
  readonly turnAway: (islandKey: number, userKey: number) => Promise<boolean>
  /** Last blocked first. */
  readonly listBlocks: (islandKey: number) => Promise<readonly PersonRecord[]>
  /** Blocks a user, and ends the user's membership or request. False if the limit is reached. */
  readonly block: (
    islandKey: number,
    userKey: number,
    limit: { readonly atMs: number; readonly max: number },
  ) => Promise<boolean>
  /** False if the user is not blocked. */
  readonly unblock: (islandKey: number, userKey: number) => Promise<boolean>
  /** What a user has joined or asked to join, oldest first. */
  readonly listOf: (userKey: number) => Promise<readonly MembershipRecord[]>
}
