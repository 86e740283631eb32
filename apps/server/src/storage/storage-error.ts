/** A row with this key exists already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The storage is gone, slow or full. What was being written is not; the same call may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
