import { type Stats, statSync } from 'node:fs'

/**
 * The files of an open database. Removed or replaced, they can still be written, and all of it is gone
 * with the process.
 */
export class DatabaseFile {
  readonly #path: string
  readonly #main: Stats | undefined
  /** Made by the first that reads or writes. */
  #log: Stats | undefined
  #isLost = false

  constructor(path: string) {
    this.#path = path
    this.#main = look(path)
  }

  /** To be asked after each commit, which counts only where this is false. Once true it stays so. */
  isLost(): boolean {
    if (this.#isLost) return true
    const log = look(`${this.#path}-wal`)
    this.#log ??= log
    this.#isLost = !isSame(this.#main, look(this.#path)) || !isSame(this.#log, log)
    return this.#isLost
  }
}

function look(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}
