/** A row with this key exists already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** What a row refers to is gone, such as its user. */
export class ReferenceViolation extends Error {
  override readonly name = 'ReferenceViolation'
}

/** There are as many of these as the operator allows in total. */
export class TotalReached extends Error {
  override readonly name = 'TotalReached'
}

/** The storage is gone, slow or full. What was being written is not; the same call may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The same where somebody else holds what is needed, though the storage works. */
export class StorageBusy extends StorageUnavailable {}

/** A text with a character that this storage can't keep. */
export class TextUnstorable extends Error {
  override readonly name = 'TextUnstorable'
}

/** There is no way to the database; the message is the one line that the operator reads. */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super(`DATABASE_URL: the database can’t be used: ${cause.message}`, { cause })
  }
}

/** The database is there and can't be used; the message is the one line that the operator reads. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}
