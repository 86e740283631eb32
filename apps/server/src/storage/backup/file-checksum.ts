import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { CopyRefused } from '../copy/copy-end.ts'

/**
 * Two fields of a SQLite file's header are free for applications. In a backup, one says that the file has a
 * checksum, and the other holds it: https://sqlite.org/fileformat2.html#the_database_header
 */
const checksumAt = 60
const markAt = 68
const mark = 0x41_73_74_72
/** For a SQLite file that will change again. */
export const removeChecksum = 'pragma application_id = 0; pragma user_version = 0'

const chunkBytes = 1 << 20

/** Writes the checksum of all its bytes into a SQLite file. Nobody may have the file open. */
export function writeChecksum(path: string): void {
  const file = openSync(path, 'r+')
  try {
    writeNumber(file, markAt, mark)
    writeNumber(file, checksumAt, checksumOf(file))
  } finally {
    closeSync(file)
  }
}

/**
 * @returns whether the file has a checksum; backups of older versions have none
 * @throws CopyRefused if any byte has changed since the checksum was written
 */
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
