import type { LogEntryKind } from '@astropelago/contract/island-log'
import type { PagePosition } from '../../../page-position.ts'
import type { OperatorOrder } from '../islands-store.ts'

export interface LogRecord {
  readonly id: string
  readonly islandKey: number
  readonly kind: LogEntryKind
  /** Null for lines like `opened`. */
  readonly author: {
    readonly key: number
    readonly username: string
    readonly avatar: string | null
  } | null
  readonly text: string | null
  /** The time that a signal is about. */
  readonly eventMs: number | null
  readonly atMs: number
  /** Its author and the host still see it. */
  readonly hidden: OperatorOrder | null
}

export interface NewPost extends Pick<LogRecord, 'id' | 'islandKey' | 'eventMs' | 'atMs'> {
  readonly kind: 'signal' | 'note'
  readonly authorKey: number
  readonly text: string
}

export interface PostLimits {
  /** For each author and kind. */
  readonly max: number
  readonly windowMs: number
  /** For each log. */
  readonly maxLines: number
}

/** `gone`: the island was deleted. `nextMs`: when the author may write again. */
export type PostOutcome = 'posted' | 'gone' | { readonly nextMs: number }

export interface LogPage {
  readonly readerKey: number | null
  readonly after: PagePosition
  /** All kinds by default. */
  readonly kind?: LogEntryKind | undefined
  readonly limit: number
}

export interface LogStore {
  /** Limits hold under simultaneous calls. */
  readonly post: (post: NewPost, limits: PostLimits) => Promise<PostOutcome>
  /** Newest first. Hidden ones are for their author and the host. */
  readonly read: (
    logs: readonly { readonly islandKey: number; readonly isHost: boolean }[],
    page: LogPage,
  ) => Promise<readonly LogRecord[]>
  /** Of listed islands and `ownKeys` that the reader may enter. Takes milliseconds, however few those are. */
  readonly readAll: (
    page: LogPage & { readonly ownKeys: readonly number[] },
  ) => Promise<readonly LogRecord[]>
  readonly find: (ids: readonly string[]) => Promise<readonly LogRecord[]>
  /** False if there is no such note or signal. */
  readonly setHidden: (id: string, hidden: OperatorOrder | null) => Promise<boolean>
  readonly delete: (id: string) => Promise<boolean>
  /** Upcoming ones first, soonest first, then the newest. Only of islands that everybody may enter. */
  readonly listPublicSignals: (page: {
    readonly nowMs: number
    readonly afterId?: string | undefined
    readonly limit: number
  }) => Promise<readonly LogRecord[]>
  readonly countPostsOf: (userKey: number) => Promise<number>
  /** Oldest first. */
  readonly postsOf: (userKey: number) => AsyncIterable<LogRecord & { readonly islandId: string }>
  /** @returns how many were deleted */
  readonly deleteOpenings: (untilMs: number, limit: number) => Promise<number>
}
