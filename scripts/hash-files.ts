import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * One hash of the names and contents of files.
 * @param patterns globs relative to the root
 * @param salt anything else that the hash depends on
 */
export async function hashFiles(
  root: string,
  patterns: readonly string[],
  {
    salt = '',
    isLeftOut,
  }: { readonly salt?: string | undefined; readonly isLeftOut?: RegExp } = {},
): Promise<string> {
  const paths: string[] = []
  for await (const entry of glob(patterns, { cwd: root, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && isLeftOut?.test(path) !== true) paths.push(path)
  }
  const hash = createHash('sha256').update(salt)
  for (const path of paths.toSorted()) hash.update(`\0${path}\0`).update(await readFile(path))
  return hash.digest('hex')
}
