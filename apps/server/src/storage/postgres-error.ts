import { DatabaseError } from 'pg'
import {
  ReferenceViolation,
  StorageBusy,
  StorageUnavailable,
  UniqueViolation,
} from './storage-error.ts'

/** SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const uniqueViolation = '23505'
const referenceViolation = '23503'
const unavailableCodes: ReadonlySet<string> = new Set([
  '25006', // read-only: a standby that was promoted elsewhere
  '25P03', // idle in a transaction for too long
  '3D000', // no such database
  '40001', // serialization failure
])
const busyCodes: ReadonlySet<string> = new Set([
  '40P01', // deadlock
  '55P03', // no lock within the time limit
])
const unavailableClasses: ReadonlySet<string> = new Set([
  '08', // connection
  '28', // authentication refused
  '53', // out of disk, memory or connections
  '57', // cancelled, shut down, starting
  '58', // I/O error
  'XX', // internal error, damaged data
])
/** Of those, the ones that only a successful write proves to be over: read-only, full, failing. */
const writeFailureCodes: ReadonlySet<string> = new Set(['25006', '53100', '58030'])

/** If the database is gone, slow or full, the same call may succeed later. */
export function toStorageError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (!(error instanceof DatabaseError)) return toConnectionError(error)
  const { code = '', message } = error
  if (code === uniqueViolation) return new UniqueViolation(message, { cause: error })
  if (code === referenceViolation) return new ReferenceViolation(message, { cause: error })
  if (busyCodes.has(code)) return new StorageBusy(message, { cause: error })
  const isUnavailable = unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2))
  return isUnavailable
    ? new StorageUnavailable(message, { cause: error })
    : new Error(message, { cause: error })
}

/** Otherwise just the statement failed. */
export function hasLostConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}

export function isWriteFailure(error: unknown): boolean {
  return error instanceof DatabaseError && writeFailureCodes.has(error.code ?? '')
}

/** Not an answer of the database: refused, reset, timed out. Our own mistakes stay as they are. */
function toConnectionError(error: Error): Error {
  const isMistake = error instanceof TypeError || error instanceof RangeError
  // If several addresses all refuse, Node's one error for them has no text.
  const message = error.message === '' ? 'no address of the database answers' : error.message
  return isMistake ? error : new StorageUnavailable(message, { cause: error })
}
