import type { Cursors } from '../../cluster/cluster-store.ts'
import type { PublicKind } from '../../public-messages.ts'
import type { PublicMessage } from './feed-message.ts'

export interface StoredMessage {
  readonly number: number
  /** `…-withdrawn` takes back what was told of a thing before it, from whoever comes later. */
  readonly type: PublicMessage['type'] | 'reload' | `${PublicKind}-withdrawn`
  /** Which one of its kind it is about. */
  readonly key: number
  /** JSON. */
  readonly payload: string
}

export interface Withdrawn {
  readonly kind: PublicKind
  readonly key: number
}

/** What the leader gives its place. */
export interface NewMessages {
  /** The leader's: nothing is written once another one leads. */
  readonly term: number
  readonly messages: readonly Omit<StoredMessage, 'number'>[]
  /** What is taken back of all that was told before. */
  readonly withdrawn: readonly Withdrawn[]
  /** How far in each journal all is told with these. */
  readonly cursors: Cursors
}

/** The last messages of a live feed that several servers share, in their order. */
export interface FeedStore {
  readonly position: () => Promise<{ readonly epoch: string; readonly number: number }>
  readonly read: (after: number, upTo: number) => Promise<readonly StoredMessage[]>
  readonly append: (messages: NewMessages) => Promise<void>
}
