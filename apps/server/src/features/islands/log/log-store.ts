import type { LogEntryKind } from '@astropelago/contract/island-log'
import type { PagePosition } from '../../../page-position.ts'

interface Hidden {
  readonly atMs: number
  readonly reason: string
}

interface LogAuthor {
  readonly key: number
  readonly username: string
  /** The name of the picture. */
  readonly avatar: string | null
}

export interface LogRecord {
  readonly id: string
  readonly islandKey: number
  readonly kind: LogEntryKind
  /** Who joined or wrote it; null where nobody did, as for `opened`. */
  readonly author: LogAuthor | null
  /** Of signals and notes. */
  readonly text: string | null
  /** The time that a signal is about. */
  readonly eventMs: number | null
  readonly atMs: number
  /** Since when an operator hides it from all but its author and the host. */
  readonly hidden: Hidden | null
}

export interface NewPost {
  readonly id: string
  readonly islandKey: number
  readonly kind: 'signal' | 'note'
  readonly authorKey: number
  readonly text: string
  readonly eventMs: number | null
  readonly atMs: number
}

export interface PostLimits {
  /** How many of that kind its author may write in a time. */
  readonly max: number
  readonly windowMs: number
  /** How many lines of the log are kept, the newest ones. */
  readonly kept: number
}

/** `gone`: the island is. `nextMs`: when its author may write one more. */
export type PostOutcome = 'posted' | 'gone' | { readonly nextMs: number }

/** A log, and whether it is read by its host, who sees what is hidden too. */
export interface ReadLog {
  readonly islandKey: number
  readonly isHost: boolean
}

export interface LogPage {
  /** Null where nobody is signed in. */
  readonly readerKey: number | null
  readonly after: PagePosition
  /** Every kind where it is left out. */
  readonly kind?: LogEntryKind | undefined
  readonly limit: number
}

interface SignalsPage {
  /** What is to come by then stands first. */
  readonly nowMs: number
  /** The id of the signal that the page before ended with. */
  readonly afterId?: string | undefined
  readonly limit: number
}

/** The logs of islands. */
export interface LogStore {
  /** Adds a note or a signal. Limits hold under simultaneous calls. */
  readonly post: (post: NewPost, limits: PostLimits) => Promise<PostOutcome>
  /** Of all these logs together, the newest first. What is hidden its author and the host see. */
  readonly read: (logs: readonly ReadLog[], page: LogPage) => Promise<readonly LogRecord[]>
  /**
   * The same of the logs of all islands that are listed, or among these, as far as the reader may enter: within
   * milliseconds, however few those are of how many.
   */
  readonly readAll: (
    page: LogPage & { readonly ownKeys: readonly number[] },
  ) => Promise<readonly LogRecord[]>
  /** By id; without those that are gone. */
  readonly find: (ids: readonly string[]) => Promise<readonly LogRecord[]>
  /** What became of a note or a signal; undefined where it is gone. */
  readonly setHidden: (id: string, hidden: Hidden | null) => Promise<LogRecord | undefined>
  readonly delete: (id: string) => Promise<boolean>
  /**
   * Signals of islands that everybody may know of and enter: what is to come first, the soonest before
   * the later ones; then the newest.
   */
  readonly listPublicSignals: (page: SignalsPage) => Promise<readonly LogRecord[]>
  /** How many notes and signals a user has written. */
  readonly countPostsOf: (userKey: number) => Promise<number>
  /** Those, the oldest first. */
  readonly postsOf: (userKey: number) => AsyncIterable<LogRecord & { readonly islandId: string }>
  /** Deletes up to `limit` lines of islands that opened or closed before; returns how many. */
  readonly deleteOpenings: (untilMs: number, limit: number) => Promise<number>
}
