import type { PagePosition } from '../../../page-position.ts'

/** Flips of one writer in the order of its commits, as columns: a storm brings thousands a second. */
export interface FlipPage {
  readonly writer: number
  readonly sequences: readonly number[]
  readonly deviceKeys: readonly number[]
  /** The id that people see. */
  readonly deviceIds: readonly string[]
  readonly ownerKeys: readonly number[]
  readonly statuses: readonly ('online' | 'offline')[]
  readonly atMs: readonly number[]
}

/** The flips of one device, oldest first. */
export interface DeviceFlips {
  /** The id that people see. */
  readonly deviceId: string
  readonly flips: readonly { readonly status: 'online' | 'offline'; readonly atMs: number }[]
}

/** A flip of one of a user's devices, as the user sees it. */
export interface OwnFlip {
  readonly deviceId: string
  readonly label: string
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/**
 * Every flip, made durable with the flip itself, for readers that must miss none. Each reader has a name
 * and a cursor. A reader that writes to the database does so in the transaction that moves its cursor, with
 * an store made from that transaction. A reader whose work leaves the database moves its cursor
 * afterwards, and so does everything at least once.
 */
export interface FlipStore {
  /**
   * The first flips after the reader's cursor, up to `limit` of one writer; undefined if there are none.
   */
  readonly read: (reader: string, limit: number) => Promise<FlipPage | undefined>
  /** Records that the reader is done with this page and everything before it. */
  readonly moveOn: (reader: string, page: Pick<FlipPage, 'writer' | 'sequences'>) => Promise<void>
  /**
   * Deletes flips before `untilMs` that one reader is done with, even if others have not read them. Works
   * in small steps, so that others get their turn between them. When aborted, it ends after its step, and
   * the next call does the rest.
   * @returns how many were deleted
   */
  readonly prune: (untilMs: number, reader: string, signal?: AbortSignal) => Promise<number>
  /** The newest flips of a user's devices after a position in the list. */
  readonly readNewestOf: (
    userKey: number,
    /** The device's id. */
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly OwnFlip[]>
  /** How many flips of a user's devices are kept. */
  readonly countOf: (userKey: number) => Promise<number>
  /** Those flips, for devices that have any. */
  readonly readOf: (userKey: number) => AsyncIterable<DeviceFlips>
}
