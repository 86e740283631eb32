import type { PagePosition } from '../../../page-position.ts'

/** Flips of one writer in the order of its commits, as columns: a storm brings thousands a second. */
export interface FlipPage {
  readonly writer: number
  readonly sequences: readonly number[]
  readonly deviceKeys: readonly number[]
  /** As people see it. */
  readonly deviceIds: readonly string[]
  readonly ownerKeys: readonly number[]
  readonly statuses: readonly ('online' | 'offline')[]
  readonly atMs: readonly number[]
}

/** The flips of one device, the first ones first. */
export interface DeviceFlips {
  /** As people see it. */
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
 * Every flip, durable with the flip itself, for readers that must miss none. Each has a name and a
 * cursor. One that writes to the database does so in the transaction in which it moves its cursor, by an
 * outbox made from that transaction; one whose work leaves the database moves it afterwards, and so does
 * everything at least once.
 */
export interface FlipOutbox {
  /** The first flips after the reader's cursor, up to `limit` of one writer; undefined when there are none. */
  readonly read: (reader: string, limit: number) => Promise<FlipPage | undefined>
  /** Notes that the reader is done with the page and all before it. */
  readonly moveOn: (reader: string, page: Pick<FlipPage, 'writer' | 'sequences'>) => Promise<void>
  /**
   * Deletes what flipped before `untilMs` and one reader is done with, whoever else may not have read it, in
   * small steps between which others get their turn. When it is aborted it ends after its step, and the next
   * one does the rest.
   * @returns how many were deleted
   */
  readonly prune: (untilMs: number, reader: string, signal?: AbortSignal) => Promise<number>
  /** The newest flips of a user's devices after a place among them. */
  readonly readNewestOf: (
    userKey: number,
    /** The id is of the device. */
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly OwnFlip[]>
  /** How many are kept of a user's devices. */
  readonly countOf: (userKey: number) => Promise<number>
  /** Those, of the devices that have any. */
  readonly readOf: (userKey: number) => AsyncIterable<DeviceFlips>
}
