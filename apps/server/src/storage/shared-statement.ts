import type { SqliteFailure } from './sqlite-protocol.ts'

/** A statement that takes a number and bytes, such as a time and the keys that it is about. */
export interface NumberAndBytes {
  readonly sql: string
  readonly number: number
  readonly bytes: Uint8Array
}

export type Outcome = 'done' | SqliteFailure

/** The words that both threads read and write, by their index. */
const wakes = 0
const state = 1
const isAwaited = 2
const textLength = 3
const bytesLength = 4
const resultCode = 5
const wordCount = 6

const free = 0
const handedOver = 1
const done = 2
const failed = 3
/** No code of SQLite's. */
const noCode = -1

const wordBytes = 4
const numberAt = wordCount * wordBytes
const textAt = numberAt + 8
const textMax = 4096
const bytesAt = textAt + textMax
/** More than all keys that may wait to be written at once. */
const bytesMax = 256 * 1024

/**
 * One statement at a time on its way to SQLite's thread and back, in memory that both threads see: a
 * message each way cost more than the write between them. Each thread makes its end of one buffer.
 */
export class SharedStatement {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array<SharedArrayBuffer>
  readonly #number: Float64Array
  /** The statement, then what SQLite had against it. */
  readonly #text: Buffer
  readonly #bytes: Uint8Array

  constructor(buffer = new SharedArrayBuffer(bytesAt + bytesMax)) {
    this.buffer = buffer
    this.#words = new Int32Array(buffer, 0, wordCount)
    this.#number = new Float64Array(buffer, numberAt, 1)
    this.#text = Buffer.from(buffer, textAt, textMax)
    this.#bytes = new Uint8Array(buffer, bytesAt, bytesMax)
  }

  /**
   * For the main thread, when the outcome of the one before is taken.
   * @returns false where the statement is too large to go this way
   */
  handOver({ sql, number, bytes }: NumberAndBytes): boolean {
    if (sql.length > textMax || bytes.length > bytesMax) return false
    this.#words[textLength] = this.#text.write(sql, 'latin1')
    this.#number[0] = number
    this.#bytes.set(bytes)
    this.#words[bytesLength] = bytes.length
    this.#words[isAwaited] = 0
    Atomics.store(this.#words, state, handedOver)
    this.wake()
    return true
  }

  /** Undefined while the statement is under way. */
  takeOutcome(): Outcome | undefined {
    const now = Atomics.load(this.#words, state)
    if (now !== done && now !== failed) return undefined
    const outcome = now === done ? 'done' : this.#readFailure()
    Atomics.store(this.#words, state, free)
    return outcome
  }

  /** Asks for a message with the answer. One that came just before it comes without. */
  awaitMessage(): void {
    Atomics.store(this.#words, isAwaited, 1)
  }

  /** To be called after whatever is sent to SQLite's thread. */
  wake(): void {
    Atomics.add(this.#words, wakes, 1)
    Atomics.notify(this.#words, wakes)
  }

  /** For SQLite's thread: how often it was woken so far. */
  wakes(): number {
    return Atomics.load(this.#words, wakes)
  }

  /** Sleeps until it is woken, unless it was since it was woken so often. */
  sleep(wakesSeen: number): void {
    Atomics.wait(this.#words, wakes, wakesSeen)
  }

  take(): NumberAndBytes | undefined {
    if (Atomics.load(this.#words, state) !== handedOver) return undefined
    return {
      sql: this.#readText(),
      number: this.#number[0] ?? 0,
      // SQLite takes no shared memory.
      bytes: this.#bytes.slice(0, this.#words[bytesLength]),
    }
  }

  /** @returns whether the main thread waits for a message that tells it */
  answer(outcome: Outcome): boolean {
    if (outcome !== 'done') {
      this.#words[textLength] = this.#text.write(outcome.message, 'latin1')
      this.#words[resultCode] = outcome.resultCode ?? noCode
    }
    Atomics.store(this.#words, state, outcome === 'done' ? done : failed)
    return Atomics.exchange(this.#words, isAwaited, 0) === 1
  }

  #readFailure(): SqliteFailure {
    const code = this.#words[resultCode]
    return { message: this.#readText(), resultCode: code === noCode ? undefined : code }
  }

  #readText(): string {
    return this.#text.toString('latin1', 0, this.#words[textLength])
  }
}
