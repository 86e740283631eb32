import { ConfigError } from './config.ts'
import { AdminSocketUnusable } from './http/admin-socket.ts'
import { DataDirLocked } from './storage/data-dir-lock.ts'
import { DatabaseMissing } from './storage/sqlite-storage.ts'
import { DatabaseUnreachable, DatabaseUnusable } from './storage/storage-error.ts'
import { CopyUnfinished } from './storage/unfinished-copy.ts'

const kinds = [
  AdminSocketUnusable,
  ConfigError,
  CopyUnfinished,
  DataDirLocked,
  DatabaseMissing,
  DatabaseUnreachable,
  DatabaseUnusable,
]

/** Whether the operator can fix what keeps the server from starting. The message is then their one line. */
export function isOperatorsToMend(error: unknown): error is Error {
  return kinds.some((kind) => error instanceof kind)
}
