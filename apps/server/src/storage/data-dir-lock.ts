import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCode } from './sqlite-unusable.ts'

const lockName = 'server.lock'
/** https://sqlite.org/rescode.html#busy */
const busy = 5

/** Another server uses this folder. The message is the one line that the operator reads. */
export class DataDirLocked extends Error {}

/** Whether a server has ever used the folder: its lock file stays. */
export function isLockedBefore(dataDir: string): boolean {
  return existsSync(join(dataDir, lockName))
}

/** By SQLite's own file lock, which the system releases however the process ends. @throws DataDirLocked */
export function lockDataDir(dataDir: string) {
  const lock = new DatabaseSync(join(dataDir, lockName))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (sqliteCode(error) !== busy) throw error
    throw new DataDirLocked(
      `DATA_DIR: another Astropelago server is running on ${dataDir}; stop it or choose another folder`,
      { cause: error },
    )
  }
  return {
    release: (): void => {
      if (lock.isOpen) lock.close()
    },
  }
}
