import type { AlertDelivery } from '@astropelago/contract/alerts'
import type { PagePosition } from '../../page-position.ts'
import type { AlertMessage, ReadyChannel } from './channels/channel.ts'
import type { Thing, ThingItems } from './outages.ts'
import type { ToldItem } from './write-message.ts'

/** A thing that changed, and all that there is to tell of it from now on. */
export interface ChangedItems {
  readonly thing: Thing
  readonly items: ThingItems
}

/** What a page of changes came to. */
export interface ReadChanges {
  /** Each thing once. */
  readonly changed: readonly ChangedItems[]
  /** When their users' turn is at the latest. */
  readonly lookMs: ReadonlyMap<number, number>
  /** Up to where they are read: in the outbox of flips, another source, or of whom an island's change is for. */
  readonly cursor:
    | {
        readonly kind: 'flips'
        readonly reader: string
        readonly writer: number
        readonly sequence: number
      }
    | { readonly kind: 'source'; readonly source: string; readonly position: number }
    | IslandCursor
}

/** Of one change of an island the users who have been told of it. */
export interface IslandCursor {
  readonly kind: 'island'
  readonly islandChange: number
  /** The last one of them; null where nobody is left. */
  readonly toldUserKey: number | null
}

/** A user of whom something may be to be told. */
export interface Turn {
  readonly userKey: number
  /** When the last message was made; null before the first one. */
  readonly toldMs: number | null
}

/** What became of a user's turn. */
export interface TurnEnd {
  readonly userKey: number
  /** When to look again; null: after another change. */
  readonly lookMs: number | null
  /** To be sent. */
  readonly messages: readonly {
    readonly id: string
    readonly message: AlertMessage
    readonly channels: readonly ReadyChannel[]
  }[]
  /** Things of which something else is to be told by now, and all that there is of them. */
  readonly changed: readonly ChangedItems[]
}

export interface Delivery {
  readonly messageKey: number
  readonly channelKey: number
  readonly userKey: number
  /** The message's. */
  readonly id: string
  readonly atMs: number
  readonly message: AlertMessage
  readonly tries: number
}

/** What came of one try. */
export interface Try {
  readonly state: AlertDelivery['state']
  readonly triedMs: number
  readonly nextMs: number | null
  readonly answer: string
}

export interface SentDelivery extends Omit<Try, 'triedMs' | 'answer'> {
  readonly channel: { readonly id: string; readonly kind: string; readonly name: string }
  readonly tries: number
  readonly triedMs: number | null
  readonly answer: string | null
}

export interface SentMessage {
  readonly id: string
  readonly atMs: number
  readonly message: AlertMessage
  readonly deliveries: readonly SentDelivery[]
}

export interface KeyPage {
  readonly afterKey: number
  readonly limit: number
}

/** What is to be told, and what was. Who leads alone calls what ends in "of who leads". */
export interface AlertsStore {
  /** By their names. */
  readonly itemsOf: (things: readonly Thing[]) => Promise<ReadonlyMap<string, ThingItems>>
  /** All of it in one transaction, of who leads. Things that are gone are passed over. */
  readonly keepRead: (read: ReadChanges) => Promise<void>
  /** Users who are, or may be, told that an island is closed, by their keys. */
  readonly listToldOfIsland: (islandKey: number, page: KeyPage) => Promise<readonly number[]>
  /** Up to where a source was read; 0 before. */
  readonly positionOf: (source: string) => Promise<number>
  /** Users whose turn it is, who wait longest first. */
  readonly dueTurns: (nowMs: number, limit: number) => Promise<readonly Turn[]>
  /** What there is to tell users, or was. */
  readonly itemsOfUsers: (
    userKeys: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly ToldItem[]>>
  /** All of it in one transaction, of who leads: messages with their deliveries, which are due at once. */
  readonly endTurns: (ends: readonly TurnEnd[], nowMs: number) => Promise<void>
  /** Of so many messages of a user the oldest, as they are counted from the newest; undefined with fewer. */
  readonly nthNewestMs: (userKey: number, n: number) => Promise<number | undefined>
  readonly countSince: (userKey: number, sinceMs: number) => Promise<number>
  /** When the user's turn is. */
  readonly findTurn: (
    userKey: number,
  ) => Promise<(Turn & { readonly lookMs: number | null }) | undefined>
  /** Of each user the first one before anybody's second, at most so many of one; who waits longest first. */
  readonly dueDeliveries: (
    nowMs: number,
    limit: { readonly all: number; readonly ofUser: number },
  ) => Promise<readonly Delivery[]>
  readonly noteTry: (
    delivery: Pick<Delivery, 'messageKey' | 'channelKey'>,
    outcome: Try,
  ) => Promise<void>
  /** Has one that waits wait longer, which is no try. */
  readonly postpone: (
    delivery: Pick<Delivery, 'messageKey' | 'channelKey'>,
    untilMs: number,
  ) => Promise<void>
  /** How many wait, and since when the first one does. */
  readonly waiting: () => Promise<{ readonly count: number; readonly sinceMs: number | null }>
  /** The newest first. */
  readonly listMessages: (
    userKey: number,
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly SentMessage[]>
  readonly countMessages: (userKey: number) => Promise<number>
  /** @returns how many were deleted */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
}
