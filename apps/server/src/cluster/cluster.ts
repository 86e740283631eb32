import type { JournalTopic } from '../storage/schema.ts'

/** What another server changed, or this one without knowing that it did. */
export interface JournalRow {
  readonly writer: number
  readonly number: number
  readonly atMs: number
  readonly topic: JournalTopic
  /** Of heartbeats. */
  readonly deviceKeys: Uint8Array
  /** Of heartbeats whoever came online by them; else devices, the devices of tokens, the users of values, islands, or writers. */
  readonly keys: readonly number[]
  readonly details: unknown
}

export type JournalListener = (row: JournalRow) => Promise<void> | void

/** A span in which a server could not, or may not, have reached the storage. */
export interface Silence {
  readonly fromMs: number
  readonly toMs: number
}

/** This server among those that share its storage. */
export interface Cluster {
  /** Undefined where there is only ever one. */
  readonly writer: number | undefined
  /** Whether this is the server that judges devices and gives messages their order. */
  readonly leads: () => boolean
  /** The leader's; undefined for all others, and where there is only one. */
  readonly term: () => number | undefined
  /** How many servers share the load. */
  readonly size: () => number
  /** Whether another server says that it lives. */
  readonly lives: (writer: number) => boolean
  /** Called when servers have come or gone. */
  readonly onLives: (listener: () => void) => void
  /** Of each server that may have heard what nobody else knows of yet. */
  readonly silences: () => ReadonlyMap<number, readonly Silence[]>
  /** Called with each row of a topic, one after the other. */
  readonly onRow: (topic: JournalTopic, listener: JournalListener) => void
  /** Called when this server begins to lead, with what the one before may not have come to. */
  readonly onLead: (listener: (rows: readonly JournalRow[]) => Promise<void> | void) => void
  /** Until it says no, whoever leads next begins with what came in meanwhile. */
  readonly holdCursorsWhile: (isHolding: () => boolean) => void
  /** How old what this server knows of the others is. */
  readonly behindMs: () => number
  /** Whether that is less than a second. */
  readonly isCurrent: () => boolean
  /** Resolves when it is. @throws StorageUnavailable */
  readonly whenCurrent: () => Promise<void>
  /** Resolves when this server has asked once more what others changed, as it often does: nobody is hurried. */
  readonly whenReadAgain: () => Promise<void>
}

/** A server that has its storage to itself. */
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
