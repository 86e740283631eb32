import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Lighthouse, puppeteer and other versions of Node. */
export const longTestsFolder = resolve(import.meta.dirname, 'long-tests')
/** The PostgreSQL that tests start. */
export const postgresFolder = resolve(import.meta.dirname, 'postgres')

/**
 * Runs `npm ci` in a folder with a lockfile of its own, which the root's `npm ci` leaves alone. Does
 * nothing where what is installed is what the lockfile names.
 */
export function installLocked(folder: string): void {
  const lockfile = join(folder, 'package-lock.json')
  // Written last, so an install that was cut off counts as none.
  const installed = join(folder, 'node_modules/installed-lock.json')
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile))) return
  // What its caller prints stays its own.
  console.error(`  npm ci in ${folder}, once for this lockfile`)
  execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  copyFileSync(lockfile, installed)
}
