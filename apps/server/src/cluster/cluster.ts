import type { ChangeTopic } from '../storage/schema.ts'

/** A change by another server, or one by this server whose outcome it never learned. */
export interface Change {
  readonly writer: number
  readonly number: number
  readonly atMs: number
  readonly topic: ChangeTopic
  /** For heartbeats only. */
  readonly deviceKeys: Uint8Array
  /**
   * Depends on the topic: the devices that came online by heartbeats, or devices, devices of tokens, users
   * of values, islands or writers.
   */
  readonly keys: readonly number[]
  readonly details: unknown
}

export type ChangeListener = (row: Change) => Promise<void> | void

/** A span in which a server could not, or may not, have reached the storage. */
export interface Silence {
  readonly fromMs: number
  readonly toMs: number
}

/** This server among those that share its storage. */
export interface Cluster {
  /** Undefined if there is only one server. */
  readonly writer: number | undefined
  /** Whether this server leads: it judges devices and puts messages in order. */
  readonly leads: () => boolean
  /** The leader's term. Undefined for other servers, and if there is only one. */
  readonly term: () => number | undefined
  /** How many servers share the load. */
  readonly size: () => number
  /** Whether another server is alive. */
  readonly lives: (writer: number) => boolean
  /** Calls the listener when servers come or go. */
  readonly onLives: (listener: () => void) => void
  /** For each server, the spans in which it may have heard heartbeats that nobody else knows about yet. */
  readonly silences: () => ReadonlyMap<number, readonly Silence[]>
  /** Calls the listener with each row of a topic, one after the other. */
  readonly onRow: (topic: ChangeTopic, listener: ChangeListener) => void
  /**
   * Calls the listener when this server begins to lead, with the rows that the previous leader may not have
   * handled.
   */
  readonly onLead: (listener: (rows: readonly Change[]) => Promise<void> | void) => void
  /** While this returns true, the next leader starts from the rows that came before. */
  readonly holdCursorsWhile: (isHolding: () => boolean) => void
  /** How old this server's knowledge of the other servers is, in milliseconds. */
  readonly behindMs: () => number
  /** Whether that is less than a second. */
  readonly isCurrent: () => boolean
  /**
   * Resolves when it is current.
   * @throws StorageUnavailable
   */
  readonly whenCurrent: () => Promise<void>
  /** Resolves after the next regular reading of other servers' changes. It does not start one. */
  readonly whenReadAgain: () => Promise<void>
}

/** A server with a storage of its own. */
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
