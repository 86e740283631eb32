export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

export class ReferenceViolation extends Error {
  override readonly name = 'ReferenceViolation'
}

export class TotalReached extends Error {
  override readonly name = 'TotalReached'
}

/** The storage is gone, slow or full. The write counts as failed; the same call may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The storage works, but another session holds what the call needs. */
export class StorageBusy extends StorageUnavailable {}

export class TextUnstorable extends Error {
  override readonly name = 'TextUnstorable'
}

/** The database can't be reached. The message is the one line that the operator reads. */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super(`DATABASE_URL: the database can’t be used: ${cause.message}`, { cause })
  }
}

/** The database can be reached but not used. The message is the one line that the operator reads. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}
