import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SharedStatement } from './shared-statement.ts'
import type { SqliteRequest, SqliteTarget } from './sqlite-protocol.ts'

export class SqliteThread {
  readonly shared = new SharedStatement()
  readonly worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    name: 'sqlite',
    // `node --watch` sets a variable that makes a worker's imports arrive as messages among its answers.
    env: {},
    workerData: this.shared.buffer,
  })

  /** Rejects with the error that ended the thread if SQLite can't open the file. */
  async open(target: SqliteTarget): Promise<void> {
    const opened = once(this.worker, 'message')
    this.#post(target)
    await opened
  }

  send(request: SqliteRequest): void {
    this.#post(request)
  }

  #post(message: SqliteTarget | SqliteRequest): void {
    this.worker.postMessage(message)
    this.shared.wake()
  }
}

export interface SqliteThreads {
  readonly take: () => SqliteThread
  readonly giveBack: (thread: SqliteThread) => Promise<unknown>
}

export const newThreads: SqliteThreads = {
  take: () => new SqliteThread(),
  giveBack: (thread) => thread.worker.terminate(),
}
