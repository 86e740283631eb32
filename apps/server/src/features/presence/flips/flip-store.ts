import type { PagePosition } from '../../../page-position.ts'

/** Flips of one writer in the order of its commits, as columns: a storm brings thousands a second. */
export interface FlipPage {
  readonly writer: number
  readonly sequences: readonly number[]
  readonly deviceKeys: readonly number[]
  readonly deviceIds: readonly string[]
  readonly ownerKeys: readonly number[]
  readonly statuses: readonly ('online' | 'offline')[]
  readonly atMs: readonly number[]
}

export interface DeviceFlips {
  readonly deviceId: string
  readonly flips: readonly { readonly status: 'online' | 'offline'; readonly atMs: number }[]
}

export interface OwnFlip {
  readonly deviceId: string
  readonly label: string
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/**
 * Every flip, made durable with the flip itself, for readers that must miss none. Each reader has a name
 * and a cursor. A reader that writes to the database moves its cursor in the same transaction, with a
 * store made from it. A reader whose work leaves the database moves its cursor afterwards, and so does
 * everything at least once.
 */
export interface FlipStore {
  /** The first flips after the reader's cursor, all of one writer; undefined if there are none. */
  readonly read: (reader: string, limit: number) => Promise<FlipPage | undefined>
  readonly moveOn: (reader: string, page: Pick<FlipPage, 'writer' | 'sequences'>) => Promise<void>
  /** Deletes what one reader is done with, in small steps. @returns how many were deleted */
  readonly prune: (untilMs: number, reader: string, signal?: AbortSignal) => Promise<number>
  readonly readNewestOf: (
    userKey: number,
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly OwnFlip[]>
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (userKey: number) => AsyncIterable<DeviceFlips>
}
