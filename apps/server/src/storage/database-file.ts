import { statSync } from 'node:fs'

/**
 * The file of an open database. Removed or replaced, it can still be written, and all of it is gone with
 * the process. Its write-ahead log is not looked at: SQLite itself removes and makes that.
 */
export class DatabaseFile {
  readonly #path: string
  readonly #identity: string
  #isLost = false

  constructor(path: string) {
    this.#path = path
    this.#identity = identityOf(path)
  }

  /** To be asked after each commit, which counts only where this is false. Once true it stays so. */
  isLost(): boolean {
    this.#isLost ||= identityOf(this.#path) !== this.#identity
    return this.#isLost
  }
}

/** The same for a path as long as it names the same file. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.dev} ${stats.ino}`
}
