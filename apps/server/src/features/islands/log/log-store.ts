import type { LogEntryKind } from '@astropelago/contract/island-log'
import type { PagePosition } from '../../../page-position.ts'
import type { OperatorOrder } from '../islands-store.ts'

export interface LogRecord {
  readonly id: string
  readonly islandKey: number
  readonly kind: LogEntryKind
  /** Who joined or wrote it; null if nobody did, as for `opened`. */
  readonly author: {
    readonly key: number
    readonly username: string
    readonly avatar: string | null
  } | null
  /** Set for signals and notes. */
  readonly text: string | null
  /** The time that a signal is about. */
  readonly eventMs: number | null
  readonly atMs: number
  /** Since when an operator hides it from all but its author and the host. */
  readonly hidden: OperatorOrder | null
}

export interface NewPost extends Pick<LogRecord, 'id' | 'islandKey' | 'eventMs' | 'atMs'> {
  readonly kind: 'signal' | 'note'
  readonly authorKey: number
  readonly text: string
}

export interface PostLimits {
  /** How many entries of a kind an author may write in a time. */
  readonly max: number
  readonly windowMs: number
  /** How many of the newest lines the log keeps. */
  readonly kept: number
}

/** `gone`: the island was deleted. `nextMs`: when the author may write again. */
export type PostOutcome = 'posted' | 'gone' | { readonly nextMs: number }

/** A log, and whether its host reads it. The host sees hidden entries too. */
interface ReadLog {
  readonly islandKey: number
  readonly isHost: boolean
}

export interface LogPage {
  readonly readerKey: number | null
  readonly after: PagePosition
  /** All kinds by default. */
  readonly kind?: LogEntryKind | undefined
  readonly limit: number
}

export interface LogStore {
  /** Adds a note or a signal. Limits hold under simultaneous calls. */
  readonly post: (post: NewPost, limits: PostLimits) => Promise<PostOutcome>
  /** Entries of all these logs, newest first. Hidden ones are for their author and the host. */
  readonly read: (logs: readonly ReadLog[], page: LogPage) => Promise<readonly LogRecord[]>
  /**
   * Entries of all islands that are listed or among `ownKeys`, if the reader may enter them. Takes
   * milliseconds, however few of the islands that are.
   */
  readonly readAll: (
    page: LogPage & { readonly ownKeys: readonly number[] },
  ) => Promise<readonly LogRecord[]>
  /** By id, without those that are gone. */
  readonly find: (ids: readonly string[]) => Promise<readonly LogRecord[]>
  /** False if there is no such note or signal. */
  readonly setHidden: (id: string, hidden: OperatorOrder | null) => Promise<boolean>
  readonly delete: (id: string) => Promise<boolean>
  /**
   * Signals of islands that everybody may see and enter: upcoming ones first, soonest first, then the
   * newest. `afterId` is the last signal on the page before.
   */
  readonly listPublicSignals: (page: {
    readonly nowMs: number
    readonly afterId?: string | undefined
    readonly limit: number
  }) => Promise<readonly LogRecord[]>
  readonly countPostsOf: (userKey: number) => Promise<number>
  /** A user's notes and signals, oldest first. */
  readonly postsOf: (userKey: number) => AsyncIterable<LogRecord & { readonly islandId: string }>
  /** Deletes up to `limit` lines about earlier openings and closings, and returns how many. */
  readonly deleteOpenings: (untilMs: number, limit: number) => Promise<number>
}
