import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { CopyRefused } from '../copy/copy-end.ts'
import { sqliteCode } from '../sqlite-unusable.ts'

/** https://sqlite.org/rescode.html#full */
const sqliteFull = 13

/** All or nothing: written in a folder beside it, synced, renamed. @throws CopyRefused if it can't be */
export async function makeWholeFile<Result>(
  path: string,
  write: (temporary: string) => Promise<Result>,
): Promise<Result> {
  refuseTaken(path)
  try {
    // No other user of the machine can read in it, whatever the modes of its files.
    await using folder = await mkdtempDisposable(`${path}.partial-`)
    const temporary = join(folder.path, 'astropelago.sqlite')
    const result = await write(temporary)
    chmodSync(temporary, 0o600)
    sync(temporary)
    refuseTaken(path)
    renameSync(temporary, path)
    sync(dirname(path))
    return result
  } catch (error) {
    throw toRefusal(error, path)
  }
}

function refuseTaken(path: string): void {
  if (existsSync(path))
    throw new CopyRefused(`There is a file ${path} already: choose another name`)
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function toRefusal(thrown: unknown, path: string): unknown {
  // The working copy may fail to go away too, which is not what to say.
  const error: unknown = thrown instanceof SuppressedError ? thrown.suppressed : thrown
  if (!(error instanceof Error) || error instanceof CopyRefused) return error
  const reason = diskReason(error, path)
  return reason === undefined ? error : new CopyRefused(reason, { cause: error })
}

function diskReason(error: Error, path: string): string | undefined {
  const code = 'code' in error ? error.code : undefined
  const folder = dirname(path)
  if (sqliteCode(error) === sqliteFull || code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk of ${folder} is full: nothing was kept`
  }
  if (code === 'ENOENT') return `There is no folder ${folder}`
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return `${folder} can’t be written: choose another folder`
  }
  return undefined
}

/**
 * Two fields of a SQLite file's header are free for applications. In a backup, one says that the file has a
 * checksum, and the other holds it: https://sqlite.org/fileformat2.html#the_database_header
 */
const checksumAt = 60
const markAt = 68
const mark = 0x41_73_74_72
export const removeChecksum = 'pragma application_id = 0; pragma user_version = 0'

const chunkBytes = 1 << 20

/** Writes the checksum of all its bytes into a SQLite file. No other process may have the file open. */
export function writeChecksum(path: string): void {
  const file = openSync(path, 'r+')
  try {
    writeNumber(file, markAt, mark)
    writeNumber(file, checksumAt, checksumOf(file))
  } finally {
    closeSync(file)
  }
}

/** @returns false for older backups, which have none. @throws CopyRefused if any byte has changed */
export function verifyChecksum(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    if (readNumber(file, markAt) !== mark) return false
    if (readNumber(file, checksumAt) === checksumOf(file)) return true
  } finally {
    closeSync(file)
  }
  throw new CopyRefused(
    `${path} is damaged: its checksum is not the one that it was made with. Take another backup`,
  )
}

/** CRC-32 of the whole file, with zeros in place of the checksum. */
function checksumOf(file: number): number {
  const chunk = Buffer.alloc(chunkBytes)
  let checksum = 0
  for (let at = 0; ;) {
    const length = readSync(file, chunk, 0, chunkBytes, at)
    if (length === 0) return checksum
    if (at === 0) chunk.writeUInt32BE(0, checksumAt)
    checksum = crc32(chunk.subarray(0, length), checksum)
    at += length
  }
}

function readNumber(file: number, at: number): number {
  const bytes = Buffer.alloc(4)
  readSync(file, bytes, 0, 4, at)
  return bytes.readUInt32BE()
}

function writeNumber(file: number, at: number, value: number): void {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  writeSync(file, bytes, 0, 4, at)
}
