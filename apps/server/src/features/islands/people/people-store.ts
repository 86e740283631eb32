import type { Door } from '@astropelago/contract/islands'

export interface PersonRecord {
  readonly userKey: number
  readonly username: string
  readonly name: string | null
  /** The name of the picture. */
  readonly avatar: string | null
  /** When the person joined, asked or was blocked. */
  readonly atMs: number
}

export interface RequestRecord extends PersonRecord {
  readonly text: string
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
  /** Of one user: islands joined and asked to join. */
  readonly perUser: number
}

/** Somebody who may become a member, and the line that the log gets then. */
export interface NewMember {
  readonly islandKey: number
  readonly userKey: number
  readonly atMs: number
  /** Of the line in the log. */
  readonly entryId: string
}

export interface NewRequest {
  readonly islandKey: number
  readonly userKey: number
  readonly atMs: number
  readonly text: string
}

/** `changed`: by now the island is gone, its door is another, or the user is blocked. */
export type JoinOutcome = 'joined' | 'is_member' | 'changed' | 'island_full' | 'user_full'
export type AskOutcome = 'asked' | 'is_member' | 'changed' | 'requests_full' | 'user_full'
/** `gone`: there is no such request. */
export type AnswerOutcome = 'answered' | 'gone' | 'island_full' | 'user_full'

/** Who is a member of islands, asks to be one, or is blocked. What it says of limits holds under simultaneous calls. */
export interface PeopleStore {
  /** The last to join first, after one of them. */
  readonly listMembers: (
    islandKey: number,
    page: { readonly afterKey?: number | undefined; readonly limit: number },
  ) => Promise<readonly PersonRecord[]>
  readonly countMembers: (islandKey: number) => Promise<number>
  /** Lets a user in while the island's door is still what the caller saw. */
  readonly join: (member: NewMember, door: Door, limits: MemberLimits) => Promise<JoinOutcome>
  /** Asks in the user's name; who has asked already asks in other words. */
  readonly ask: (
    request: NewRequest,
    limits: { readonly perIsland: number; readonly perUser: number },
  ) => Promise<AskOutcome>
  /** Ends a membership, or takes a request back; undefined where there is neither. */
  readonly leave: (islandKey: number, userKey: number) => Promise<'member' | 'asked' | undefined>
  /** False where the user is no member. */
  readonly removeMember: (islandKey: number, userKey: number) => Promise<boolean>
  /** Who waits longest first. */
  readonly listRequests: (islandKey: number) => Promise<readonly RequestRecord[]>
  readonly letIn: (member: NewMember, limits: MemberLimits) => Promise<AnswerOutcome>
  /** False where there is no such request. */
  readonly turnAway: (islandKey: number, userKey: number) => Promise<boolean>
  /** The last to be blocked first. */
  readonly listBlocks: (islandKey: number) => Promise<readonly PersonRecord[]>
  /** Blocks a user, who is no member any more and asks for nothing. False where as many are blocked as may be. */
  readonly block: (
    islandKey: number,
    userKey: number,
    limit: { readonly atMs: number; readonly max: number },
  ) => Promise<boolean>
  /** False where the user is not blocked. */
  readonly unblock: (islandKey: number, userKey: number) => Promise<boolean>
  /** What a user has joined and asked to join, the oldest first. */
  readonly listOf: (userKey: number) => Promise<readonly MembershipRecord[]>
}
