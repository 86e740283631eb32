import { byLabel } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import {
  ReferenceViolation,
  StorageBusy,
  StorageUnavailable,
  TextUnstorable,
  UniqueViolation,
} from './storage-error.ts'

/** The storage is gone, slow or full; another session holds what the call needs; our own mistake. */
type FailureKind = 'unavailable' | 'busy' | 'wrong'

const regularAnswers = [UniqueViolation, ReferenceViolation, TextUnstorable]

export class StorageFailures {
  readonly counts: Record<FailureKind, number> = { unavailable: 0, busy: 0, wrong: 0 }

  /** @returns the same error, to throw */
  count(error: Error): Error {
    if (regularAnswers.some((kind) => error instanceof kind)) return error
    if (error instanceof StorageBusy) this.counts.busy += 1
    else if (error instanceof StorageUnavailable) this.counts.unavailable += 1
    else this.counts.wrong += 1
    return error
  }
}

export interface StorageLoad {
  /** Calls that wait for an answer or a turn. On SQLite, reads count as writes unless long. */
  readonly waiting: () => { readonly writes: number; readonly reads: number }
  readonly failures: StorageFailures
}

export function storageMetrics(metrics: Metrics, { waiting, failures }: StorageLoad): void {
  metrics.gauge({
    name: 'astropelago_storage_waiting',
    help: 'Calls of the storage that wait for their turn; on SQLite reads count as writes',
    labels: ['for'],
    read: () => byLabel('for', waiting()),
  })
  metrics.counter({
    name: 'astropelago_storage_errors_total',
    help: 'Calls of the storage that failed since the start, by whether it was gone or full (unavailable), held by another (busy) or the call was wrong',
    labels: ['kind'],
    read: () => byLabel('kind', failures.counts),
  })
}
