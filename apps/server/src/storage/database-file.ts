import { statSync } from 'node:fs'

/**
 * Detects that the file of an open database was removed or replaced. Writes to it still succeed then, and
 * are lost when the process ends. The write-ahead log is not checked, because SQLite itself removes and
 * creates it.
 */
export class DatabaseFile {
  readonly #path: string
  readonly #identity: string
  #isLost = false

  constructor(path: string) {
    this.#path = path
    this.#identity = identityOf(path)
  }

  /** Call it after each commit, which counts only if this returns false. Once true, it stays true. */
  isLost(): boolean {
    this.#isLost ||= identityOf(this.#path) !== this.#identity
    return this.#isLost
  }
}

/** Stays the same as long as the path names the same file. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.dev} ${stats.ino}`
}
