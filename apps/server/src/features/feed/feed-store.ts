import type { Cursors } from '../../cluster/cluster-store.ts'
import type { PublicMessage } from './feed-message.ts'

export interface StoredMessage {
  readonly number: number
  /** `withdrawn` takes back what was told of a device before it, from whoever comes later. */
  readonly type: PublicMessage['type'] | 'reload' | 'withdrawn'
  /** The device that it is about. */
  readonly key: number
  /** JSON. */
  readonly payload: string
}

/** What the leader gives its place. */
export interface NewMessages {
  /** The leader's: nothing is written once another one leads. */
  readonly term: number
  readonly messages: readonly Omit<StoredMessage, 'number'>[]
  /** Devices of which all that was told before is taken back. */
  readonly withdrawnKeys: readonly number[]
  /** How far in each journal all is told with these. */
  readonly cursors: Cursors
}

/** The last messages of a live feed that several servers share, in their order. */
export interface FeedStore {
  readonly position: () => Promise<{ readonly epoch: string; readonly number: number }>
  readonly read: (after: number, upTo: number) => Promise<readonly StoredMessage[]>
  readonly append: (messages: NewMessages) => Promise<void>
}
