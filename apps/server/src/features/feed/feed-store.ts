import type { Cursors } from '../../cluster/cluster-store.ts'
import type { PublicKind, PublicMessage } from '../../public-messages.ts'

export interface StoredMessage {
  readonly number: number
  /** `…-withdrawn` withdraws earlier messages about its subject from later readers. */
  readonly type: PublicMessage['type'] | 'reload' | `${PublicKind}-withdrawn`
  readonly key: number
  readonly payload: string
}

export interface Withdrawn {
  readonly kind: PublicKind
  readonly key: number
}

/** Messages to which the leader gives their numbers. */
export interface NewMessages {
  /** The leader's term. Nothing is written once another server leads. */
  readonly term: number
  readonly messages: readonly Omit<StoredMessage, 'number'>[]
  readonly withdrawn: readonly Withdrawn[]
  /** For each writer, up to where every change is in the feed with these messages. */
  readonly cursors: Cursors
}

export interface FeedStore {
  readonly position: () => Promise<{ readonly epoch: string; readonly number: number }>
  readonly read: (after: number, upTo: number) => Promise<readonly StoredMessage[]>
  readonly append: (messages: NewMessages) => Promise<void>
}
