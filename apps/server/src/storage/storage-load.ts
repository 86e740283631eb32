import {
  ReferenceViolation,
  StorageBusy,
  StorageUnavailable,
  TextUnstorable,
  UniqueViolation,
} from './storage-error.ts'

/** What keeps a call from its answer: gone, slow or full; held by somebody else; a mistake of our own. */
type FailureKind = 'unavailable' | 'busy' | 'wrong'

/** How often calls of the storage failed since the start. */
export class StorageFailures {
  readonly counts: Record<FailureKind, number> = { unavailable: 0, busy: 0, wrong: 0 }

  /** @returns the same error, to be thrown */
  note(error: Error): Error {
    if (isAnswer(error)) return error
    if (error instanceof StorageBusy) this.counts.busy += 1
    else if (error instanceof StorageUnavailable) this.counts.unavailable += 1
    else this.counts.wrong += 1
    return error
  }
}

/** There is one already, what it refers to is gone, or it can't be kept by anybody. */
function isAnswer(error: Error): boolean {
  return (
    error instanceof UniqueViolation ||
    error instanceof ReferenceViolation ||
    error instanceof TextUnstorable
  )
}

/** What a storage has to do. */
export interface StorageLoad {
  /** Calls that wait for their answer or their turn. SQLite does not tell reads from writes. */
  readonly waiting: () => { readonly writes: number; readonly reads: number }
  readonly failures: StorageFailures
}
