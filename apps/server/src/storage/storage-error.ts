/** A row with this key already exists. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** A row that this one refers to is gone, such as its user. */
export class ReferenceViolation extends Error {
  override readonly name = 'ReferenceViolation'
}

/** The operator's limit for the total number is reached. */
export class TotalReached extends Error {
  override readonly name = 'TotalReached'
}

/** The storage is gone, slow or full. The write counts as failed; the same call may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The storage works, but another session holds what the call needs. */
export class StorageBusy extends StorageUnavailable {}

/** A text with a character that this storage can't store. */
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
