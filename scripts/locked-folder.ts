import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** For Lighthouse, puppeteer and other versions of Node. */
export const longTestsFolder = resolve(import.meta.dirname, 'long-tests')
/** For the PostgreSQL that tests start. */
export const postgresFolder = resolve(import.meta.dirname, 'postgres')

/**
 * Runs `npm ci` in a folder with its own lockfile, which `npm ci` at the root does not install. Does
 * nothing if the lockfile's packages are installed already.
 */
export function installLocked(folder: string): void {
  const lockfile = join(folder, 'package-lock.json')
  // Written last, so an interrupted install does not count.
  const installed = join(folder, 'node_modules/installed-lock.json')
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile))) return
  // Logged to stderr, so that the caller's output stays clean.
  console.error(`  npm ci in ${folder}, once for this lockfile`)
  execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  copyFileSync(lockfile, installed)
}
