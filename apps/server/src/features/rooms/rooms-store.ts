import type { Moderation, RoomEvent } from '@astropelago/contract/rooms'

export interface RoomRecord {
  readonly key: number
  /** What reports name its messages by. */
  readonly id: string
  readonly islandKey: number
  readonly name: string
  /** The number of its last event. */
  readonly last: number
  readonly isReadOnly: boolean
  readonly changedMs: number
}

/** A visitor who agreed that the island learns the name. */
export interface Writer {
  readonly userKey: number
  readonly id: string
  readonly name: string
}

interface InRoom {
  readonly islandKey: number
  readonly room: string
  readonly atMs: number
}

export interface NewMessage extends InRoom {
  readonly kind: 'message'
  /** Null for a visitor who is not signed in. */
  readonly userKey: number | null
  /** Null for a visitor who did not say who they are. */
  readonly author: Writer | null
  /** By which a message that is sent again is recognized. */
  readonly clientId: string
  /** JSON. */
  readonly value: string
  readonly isModerator: boolean
}

export interface NewModeration extends InRoom {
  readonly kind: 'moderation'
  readonly action: Moderation
  /** The visitor who deletes a message of their own; null for moderators, who may do everything. */
  readonly authorKey: number | null
}

export type NewEvent = NewMessage | NewModeration

/** An event, and whose message it is. */
export interface StoredEvent {
  readonly roomKey: number
  readonly event: RoomEvent
  readonly userKey: number | null
}

export type AppendRefusal =
  | 'muted'
  | 'read_only'
  | 'rooms_full'
  | 'not_found'
  | 'not_yours'
  /** It is deleted already. */
  | 'unchanged'
  | 'signed_out'

export type AppendOutcome =
  | { readonly room: RoomRecord; readonly stored: StoredEvent }
  | AppendRefusal

export interface Silence {
  readonly userKey: number
  readonly visitorId: string
  readonly name: string
  readonly kind: 'mute' | 'block'
  /** Null until it is taken back. */
  readonly untilMs: number | null
}

/** Messages whose authors have deleted their accounts are gone. */
export interface RoomsStore {
  /**
   * In order, and resolves when all are durable. The numbers of a room’s events have no gaps and are in the
   * order of the commits. A message that was sent before gets the number that it has.
   */
  readonly append: (events: readonly NewEvent[]) => Promise<readonly AppendOutcome[]>
  readonly find: (islandKey: number, name: string) => Promise<RoomRecord | undefined>
  readonly list: (
    islandKey: number,
  ) => Promise<readonly (RoomRecord & { readonly messageCount: number })[]>
  /** The last messages that are left, the oldest first. */
  readonly readLast: (roomKey: number, limit: number) => Promise<readonly StoredEvent[]>
  /** What came after an event, in order. Deleted messages are left out. */
  readonly readAfter: (
    roomKey: number,
    n: number,
  ) => Promise<{
    readonly last: number
    /** The number of the first event that is kept; 0 if there is none. */
    readonly first: number
    readonly events: readonly StoredEvent[]
  }>
  /** The last numbers of rooms that exist. */
  readonly readLastNumbers: (roomKeys: readonly number[]) => Promise<ReadonlyMap<number, number>>
  readonly isBlocked: (islandKey: number, userKey: number, nowMs: number) => Promise<boolean>
  readonly listBlocked: (
    islandKeys: readonly number[],
    nowMs: number,
  ) => Promise<readonly { readonly islandKey: number; readonly userKey: number }[]>
  readonly listSilenced: (islandKey: number, nowMs: number) => Promise<readonly Silence[]>
  /** By the id of a room and a number. Undefined if it is deleted. */
  readonly findMessage: (
    roomId: string,
    n: number,
  ) => Promise<
    | {
        readonly room: Pick<RoomRecord, 'islandKey' | 'name'>
        readonly value: string
        readonly author: { readonly userKey: number; readonly username: string } | null
      }
    | undefined
  >
  /** Deletes events beyond the last `kept` of each room. @returns how many, at most `limit` */
  readonly prune: (kept: number, limit: number) => Promise<number>
}
