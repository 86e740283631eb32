import type { CheckStatus, CheckTarget } from '@astropelago/contract/checks'
import type { PagePosition } from '../../page-position.ts'

export interface CheckState {
  readonly status: CheckStatus
  readonly sinceMs: number
  /** When somebody looked last, or a script reported. */
  readonly lookedMs: number | null
  /** When the run that a script reported began; null when it has ended. */
  readonly startedMs: number | null
  /** When it is down for want of a report; null for other kinds. */
  readonly dueMs: number | null
  readonly tookMs: number | null
  /** Failures in a row. */
  readonly failures: number
  readonly note: string | null
}

export interface CheckRecord {
  readonly key: number
  readonly id: string
  readonly userKey: number
  readonly name: string
  readonly target: CheckTarget
  /** Since when it has been public; null if it is private. */
  readonly publicMs: number | null
  readonly isPaused: boolean
  /** Id and key of the owner's island whose link it watches. */
  readonly island: { readonly key: number; readonly id: string } | null
  /** The owner's device that looks instead of the server; without a key if it was deleted. */
  readonly device: { readonly key: number | null; readonly id: string } | null
  readonly createdMs: number
  /** When and why an operator hid it from all but its owner. */
  readonly hidden: { readonly atMs: number; readonly reason: string } | null
  /** Null if nobody has looked yet. */
  readonly state: CheckState | null
}

export interface NewCheck extends Pick<
  CheckRecord,
  'id' | 'userKey' | 'name' | 'target' | 'publicMs' | 'isPaused' | 'createdMs'
> {
  readonly islandKey: number | null
  readonly deviceId: string | null
  /** SHA-256 of the secret in the address that scripts report to. */
  readonly pushHash: Uint8Array | null
  /** What it was imported from; null if it was made here. */
  readonly sourceId: string | null
}

/** Absent fields stay as they are. */
export type CheckUpdate = Partial<
  Pick<
    NewCheck,
    'name' | 'target' | 'publicMs' | 'isPaused' | 'islandKey' | 'deviceId' | 'pushHash'
  >
>

export interface CheckEvent {
  readonly atMs: number
  readonly kind: CheckStatus
  readonly note: string | null
}

export interface CheckSample {
  /** 0 for the server itself, or for the owner's device that looks instead. */
  readonly locationKey: number
  readonly atMs: number
  /** Null for a failure. */
  readonly tookMs: number | null
}

/** The slowness of answers in one day. */
export interface CheckDaySlowness {
  readonly locationKey: number
  /** Its beginning in UTC. */
  readonly dayMs: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** What one look, report or missed report made of a check. */
export interface FoundCheck {
  readonly checkKey: number
  readonly state: CheckState
  /** When it was looked at last, as far as was known; absent for looks and reports that count in any case. */
  readonly knownLookedMs?: number | null
  /** The change of its status; null if it stays. */
  readonly event: CheckEvent | null
  readonly samples: readonly CheckSample[]
}

export interface CheckChange {
  readonly sequence: number
  readonly checkKey: number
  readonly checkId: string
  readonly userKey: number
  readonly kind: CheckStatus
  readonly atMs: number
}

/** Checks of disabled users are as if they were gone. */
export interface ChecksStore {
  /** @throws TotalReached, ReferenceViolation */
  readonly insert: (
    check: NewCheck,
    limits: { readonly perUser: number },
  ) => Promise<CheckRecord | 'check_limit'>
  /** A check that is paused is unobserved from then on. @throws ReferenceViolation */
  readonly update: (key: number, update: CheckUpdate, atMs: number) => Promise<void>
  readonly delete: (key: number) => Promise<void>
  /** Hides any user's check, or shows it again with null. @returns false if it is gone */
  readonly setHidden: (id: string, hidden: CheckRecord['hidden']) => Promise<boolean>
  readonly find: (id: string) => Promise<CheckRecord | undefined>
  /** With the usernames of their owners. */
  readonly readById: (
    ids: readonly string[],
  ) => Promise<readonly { readonly check: CheckRecord; readonly username: string }[]>
  readonly findByPush: (hash: Uint8Array) => Promise<CheckRecord | undefined>
  /** By name. */
  readonly list: (userKey: number) => Promise<readonly CheckRecord[]>
  readonly count: (userKey: number) => Promise<number>
  readonly read: (keys: readonly number[]) => Promise<readonly CheckRecord[]>
  readonly loadAll: () => AsyncIterable<readonly CheckRecord[]>
  /**
   * Stores what was found, in one transaction: states, samples, events, and what alerts have to read. Skips
   * checks that are gone or paused, and events that change nothing. No two events of a check have the same
   * time. Repeating it changes nothing.
   * @returns what it did not store because of a look or a report that was not known
   */
  readonly record: (found: readonly FoundCheck[]) => Promise<readonly FoundCheck[]>
  /** Has the leader look soon. */
  readonly requestLook: (key: number) => Promise<void>
  /** Events since a time and the one before them, oldest first. */
  readonly readEvents: (checkKey: number, sinceMs: number) => Promise<readonly CheckEvent[]>
  /** Oldest first. */
  readonly readSamples: (checkKey: number, sinceMs: number) => Promise<readonly CheckSample[]>
  readonly readDays: (checkKey: number, sinceMs: number) => Promise<readonly CheckDaySlowness[]>
  /** Newest first. */
  readonly listEvents: (
    checkKey: number,
    page: { readonly after: PagePosition; readonly limit: number; readonly sinceMs: number },
  ) => Promise<readonly CheckEvent[]>
  readonly oldestSampleMs: () => Promise<number | null>
  /** Sums up the answers of a day, and deletes days that are too old to show. Repeating it changes nothing. */
  readonly rollUp: (checkKeys: readonly number[], dayMs: number) => Promise<void>
  /** @returns how many samples it deleted; fewer than `limit` means that none are left */
  readonly deleteSamples: (untilMs: number, limit: number) => Promise<number>
  /**
   * Leaves the last event before that time, which says what the check was then. Deletes changes of that age
   * too, even if alerts have not read them.
   */
  readonly deleteEvents: (untilMs: number, limit: number) => Promise<number>
  /** Changes that alerts have not read yet, oldest first. */
  readonly readChanges: (afterSequence: number, limit: number) => Promise<readonly CheckChange[]>
}
