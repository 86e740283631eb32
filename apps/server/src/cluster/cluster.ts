import type { ChangeTopic } from '../storage/schema.ts'

/** A change by another server, or one by this server whose outcome it never learned. */
export interface Change {
  readonly writer: number
  readonly number: number
  readonly atMs: number
  readonly topic: ChangeTopic
  readonly deviceKeys: Uint8Array
  /** Their meaning depends on the topic. For heartbeats, the devices that came online by them. */
  readonly keys: readonly number[]
  readonly details: unknown
}

export type ChangeListener = (row: Change) => Promise<void> | void

/** A span in which a server may not have reached the storage. */
export interface Silence {
  readonly fromMs: number
  readonly toMs: number
}

export interface Cluster {
  readonly writer: number | undefined
  /** Whether this server leads: it judges devices and puts messages in order. */
  readonly leads: () => boolean
  /** The leader's term. Undefined for other servers, and if there is only one. */
  readonly term: () => number | undefined
  readonly size: () => number
  readonly lives: (writer: number) => boolean
  readonly onLives: (listener: () => void) => void
  /** For each server, the spans in which it may have taken heartbeats that no other server knows yet. */
  readonly silences: () => ReadonlyMap<number, readonly Silence[]>
  readonly onRow: (topic: ChangeTopic, listener: ChangeListener) => void
  /** Called when this server begins to lead, with the rows that the previous leader may not have handled. */
  readonly onLead: (listener: (rows: readonly Change[]) => Promise<void> | void) => void
  /** While this returns true, the next leader starts from the rows that came before. */
  readonly holdCursorsWhile: (isHolding: () => boolean) => void
  /** How old this server's knowledge of the other servers is, in milliseconds. */
  readonly behindMs: () => number
  /** Whether that is less than a second. */
  readonly isCurrent: () => boolean
  /** @throws StorageUnavailable */
  readonly whenCurrent: () => Promise<void>
  /** Resolves after the next regular reading of other servers' changes. It does not start one. */
  readonly whenReadAgain: () => Promise<void>
}

export const alone: Cluster = {
  writer: undefined,
  leads: () => true,
  term: () => undefined,
  size: () => 1,
  lives: () => false,
  onLives: () => undefined,
  silences: () => new Map(),
  onRow: () => undefined,
  onLead: () => undefined,
  holdCursorsWhile: () => undefined,
  behindMs: () => 0,
  isCurrent: () => true,
  whenCurrent: () => Promise.resolve(),
  whenReadAgain: () => Promise.resolve(),
}
