import type { AlertDelivery } from '@astropelago/contract/alerts'
import type { PagePosition } from '../../page-position.ts'
import type { AlertMessage, ReadyChannel } from './channels/channel.ts'
import type { AlertSubject, SubjectItems } from './outages.ts'
import type { AlertedItem } from './write-message.ts'

/** A thing that changed, and its pending alerts from now on. */
export interface ChangedItems {
  readonly thing: AlertSubject
  readonly items: SubjectItems
}

/** The result of one page of changes. */
export interface ReadChanges {
  /** Each thing once. */
  readonly changed: readonly ChangedItems[]
  /** Latest time of each user's next turn. */
  readonly lookMs: ReadonlyMap<number, number>
  /**
   * Position up to which changes were read: of flips, of another source, or of the users that one island
   * change is for.
   */
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

/** Position among the users that one island change is for. */
export interface IslandCursor {
  readonly kind: 'island'
  readonly islandChange: number
  /** The last user that was processed; null if none are left. */
  readonly toldUserKey: number | null
}

/** A user who may be due for a message. */
export interface Turn {
  readonly userKey: number
  /** When the last message was made; null before the first one. */
  readonly toldMs: number | null
}

/** The result of a user's turn. */
export interface TurnEnd {
  readonly userKey: number
  /** When the next turn is due; null: not before another change. */
  readonly lookMs: number | null
  readonly messages: readonly {
    readonly id: string
    readonly message: AlertMessage
    readonly channels: readonly ReadyChannel[]
  }[]
  /** Things whose pending alerts changed, with all that is pending now. */
  readonly changed: readonly ChangedItems[]
}

export interface Delivery {
  readonly messageKey: number
  readonly channelKey: number
  readonly userKey: number
  /** ID of the message. */
  readonly id: string
  readonly atMs: number
  readonly message: AlertMessage
  readonly tries: number
}

/** The result of one try. */
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

/** Pending and sent alerts. Only the leader calls the methods that say so. */
export interface AlertsStore {
  /** Keyed by `nameOf`. */
  readonly itemsOf: (things: readonly AlertSubject[]) => Promise<ReadonlyMap<string, SubjectItems>>
  /** Writes everything in one transaction, by the leader only. Skips things that no longer exist. */
  readonly keepRead: (read: ReadChanges) => Promise<void>
  /** Users who are, or may still be, alerted that an island is closed, ordered by key. */
  readonly listToldOfIsland: (islandKey: number, page: KeyPage) => Promise<readonly number[]>
  /** Position up to which a source was read; 0 before the first read. */
  readonly positionOf: (source: string) => Promise<number>
  /** Users whose turn is due, longest wait first. */
  readonly dueTurns: (nowMs: number, limit: number) => Promise<readonly Turn[]>
  /** All alerts of users, sent or pending, about devices and islands. */
  readonly itemsOfUsers: (
    userKeys: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly AlertedItem[]>>
  /**
   * Writes everything in one transaction, by the leader only. Deliveries of new messages are due at once.
   */
  readonly endTurns: (ends: readonly TurnEnd[], nowMs: number) => Promise<void>
  /** Time of a user's `n`th newest message; undefined if there are fewer. */
  readonly nthNewestMs: (userKey: number, n: number) => Promise<number | undefined>
  readonly countSince: (userKey: number, sinceMs: number) => Promise<number>
  /** When the user's turn is due. */
  readonly findTurn: (
    userKey: number,
  ) => Promise<(Turn & { readonly lookMs: number | null }) | undefined>
  /** Every user's first delivery before anybody's second, at most `ofUser` for each; longest wait first. */
  readonly dueDeliveries: (
    nowMs: number,
    limit: { readonly all: number; readonly ofUser: number },
  ) => Promise<readonly Delivery[]>
  readonly noteTry: (
    delivery: Pick<Delivery, 'messageKey' | 'channelKey'>,
    outcome: Try,
  ) => Promise<void>
  /** Delays a waiting delivery without counting a try. */
  readonly postpone: (
    delivery: Pick<Delivery, 'messageKey' | 'channelKey'>,
    untilMs: number,
  ) => Promise<void>
  /** Number of waiting deliveries, and since when the oldest waits. */
  readonly waiting: () => Promise<{ readonly count: number; readonly sinceMs: number | null }>
  /** Newest first. */
  readonly listMessages: (
    userKey: number,
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly SentMessage[]>
  readonly countMessages: (userKey: number) => Promise<number>
  /** @returns how many were deleted */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
}
