import type { NewMessage } from './alert-messages-store.ts'
import type { AlertSubject, SubjectItems } from './outages.ts'
import type { AlertedItem } from './write-message.ts'

export interface ChangedItems {
  readonly subject: AlertSubject
  readonly items: SubjectItems
}

export interface ReadChanges {
  readonly changed: readonly ChangedItems[]
  readonly dueMs: ReadonlyMap<number, number>
  readonly cursor:
    | {
        readonly kind: 'flips'
        readonly reader: string
        readonly writer: number
        readonly sequence: number
      }
    | { readonly kind: 'source'; readonly source: string; readonly position: number }
    /** They are deleted. */
    | { readonly kind: 'checks'; readonly sequences: readonly number[] }
    | {
        readonly kind: 'island'
        readonly islandChange: number
        /** The last user that was processed; null if none are left. */
        readonly alertedUserKey: number | null
      }
}

export interface Turn {
  readonly userKey: number
  /** When the last message was made; null before the first one. */
  readonly toldMs: number | null
}

export interface TurnEnd {
  readonly userKey: number
  readonly dueMs: number | null
  readonly messages: readonly NewMessage[]
  readonly changed: readonly ChangedItems[]
}

export interface KeyPage {
  readonly afterKey: number
  readonly limit: number
}

export interface AlertsStore {
  /** Keyed by `nameOf`. */
  readonly itemsOf: (
    subjects: readonly AlertSubject[],
  ) => Promise<ReadonlyMap<string, SubjectItems>>
  /** Writes everything in one transaction, by the leader only. Skips subjects that no longer exist. */
  readonly storeRead: (read: ReadChanges) => Promise<void>
  /** Users who are, or may still be, alerted that an island is closed, ordered by key. */
  readonly listAlertedOfIsland: (islandKey: number, page: KeyPage) => Promise<readonly number[]>
  readonly positionOf: (source: string) => Promise<number>
  /** Users whose turn is due, longest wait first. */
  readonly dueTurns: (nowMs: number, limit: number) => Promise<readonly Turn[]>
  readonly findTurn: (userKey: number) => Promise<(Turn & Pick<TurnEnd, 'dueMs'>) | undefined>
  readonly itemsOfUsers: (
    userKeys: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly AlertedItem[]>>
  /** Writes everything in one transaction, by the leader only. New messages are due at once. */
  readonly endTurns: (ends: readonly TurnEnd[], nowMs: number) => Promise<void>
}
