import {
  ReferenceViolation,
  StorageBusy,
  StorageUnavailable,
  TextUnstorable,
  UniqueViolation,
} from './storage-error.ts'

/**
 * Why a call failed: the storage is gone, slow or full; somebody else holds what it needs; our own mistake.
 */
type FailureKind = 'unavailable' | 'busy' | 'wrong'

/** How many calls of the storage have failed since the start. */
export class StorageFailures {
  readonly counts: Record<FailureKind, number> = { unavailable: 0, busy: 0, wrong: 0 }

  /**
   * Counts an error.
   * @returns the same error, to throw
   */
  note(error: Error): Error {
    if (isAnswer(error)) return error
    if (error instanceof StorageBusy) this.counts.busy += 1
    else if (error instanceof StorageUnavailable) this.counts.unavailable += 1
    else this.counts.wrong += 1
    return error
  }
}

/**
 * Whether the error is a regular answer: a duplicate, a missing reference, or a text that can't be stored.
 */
function isAnswer(error: Error): boolean {
  return (
    error instanceof UniqueViolation ||
    error instanceof ReferenceViolation ||
    error instanceof TextUnstorable
  )
}

/** How busy a storage is. */
export interface StorageLoad {
  /**
   * Calls that wait for their answer or their turn. On SQLite, reads count as writes unless they are long
   * reads.
   */
  readonly waiting: () => { readonly writes: number; readonly reads: number }
  readonly failures: StorageFailures
}
