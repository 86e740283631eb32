import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Checks out another version of this repository, with this version's dependencies, and builds its web app.
 * @returns a function that removes it
 */
export function checkOut(reference: string, folder: string): () => void {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, reference])
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync('node_modules')) {
    const [from, to] = [resolve('node_modules', name), join(packages, name)]
    // These are relative links, and so lead to the packages of that version.
    if (name === '@astropelago') cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.')) symlinkSync(from, to)
  }
  execFileSync(process.execPath, ['apps/web/build.ts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return () => void execFileSync('git', ['worktree', 'remove', '--force', folder])
}
