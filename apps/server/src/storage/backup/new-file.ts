import { chmodSync, existsSync, fsyncSync, closeSync, openSync, renameSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CopyRefused } from '../copy/copy-end.ts'

/**
 * Makes a file that exists completely or not at all. It is written in a folder of its own next to its final
 * place, where a database can put its side files, then synced and renamed.
 * @throws CopyRefused if the name is taken or the file can't be written
 */
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

/** Makes a file's content, or a folder's names, durable. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Turns an error of the disk into the one line that the operator reads. */
export function toRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof CopyRefused) return error
  const reason = diskReason(error, path)
  return reason === undefined ? error : new CopyRefused(reason, { cause: error })
}

function diskReason(error: Error, path: string): string | undefined {
  // SQLite's result codes: https://sqlite.org/rescode.html
  const resultCode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
  const code = 'code' in error ? error.code : undefined
  const folder = dirname(path)
  if ((resultCode & 0xff) === 13 || code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk of ${folder} is full: nothing was kept`
  }
  if (code === 'ENOENT') return `There is no folder ${folder}`
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return `${folder} can’t be written: choose another folder`
  }
  return undefined
}
