import { DatabaseUnusable } from './storage-error.ts'

const damaged = 'is damaged: restore a backup in its place; npm run admin -- check tells more'
const unwritable =
  'can’t be opened for writing: look at its owner and mode, and whether its disk is read-only'
const full = 'has no room: its disk is full'

/** The primary result code of an error of SQLite's: https://sqlite.org/rescode.html */
export function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const code =
    'errcode' in error ? error.errcode : 'resultCode' in error ? error.resultCode : undefined
  // The low byte of an extended code.
  return typeof code === 'number' ? code & 0xff : undefined
}

const byResultCode: ReadonlyMap<number, string> = new Map([
  [8, unwritable],
  [10, 'can’t be read or written: its disk fails or is full'],
  [11, damaged],
  [13, full],
  [14, unwritable],
  [26, damaged],
])
const bySystemCode: ReadonlyMap<string, string> = new Map([
  ['EACCES', unwritable],
  ['EPERM', unwritable],
  ['EROFS', unwritable],
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['ENOENT', 'can’t be made there'],
  ['ENOTDIR', 'can’t be made: a part of its path is no folder'],
  ['EEXIST', 'can’t be made: a part of its path is no folder'],
])

/** Finds an error of the database's file among the causes. @returns the error to throw */
export function sqliteUnusable(error: unknown, path: string): unknown {
  for (
    let at = error;
    typeof at === 'object' && at !== null;
    at = 'cause' in at ? at.cause : undefined
  ) {
    const reason = reasonOf(at)
    if (reason === undefined) continue
    const words = 'message' in at ? ` (${String(at.message)})` : ''
    return new DatabaseUnusable(`DATA_DIR: ${path} ${reason}${words}`, { cause: error })
  }
  return error
}

function reasonOf(error: object): string | undefined {
  const resultCode = sqliteCode(error)
  if (resultCode !== undefined) return byResultCode.get(resultCode)
  return 'code' in error ? bySystemCode.get(String(error.code)) : undefined
}
