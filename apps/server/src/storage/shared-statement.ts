import type { SqliteFailure } from './sqlite-protocol.ts'

export interface NumberAndBytes {
  readonly sql: string
  readonly number: number
  readonly bytes: Uint8Array
}

export type Outcome = 'done' | SqliteFailure

const wakes = 0
const state = 1
const textLength = 2
const bytesLength = 3
const resultCode = 4
/** An even number, which aligns what comes after them. */
const wordCount = 6

// One word says how far the statement is and whether somebody waits for it. As two words, a thread that
// stops between them takes the next statement's wish for its own, and that one waits for ever.
const free = 0
const handedOver = 1
const awaited = 2
const done = 3
const failed = 4
/** Not one of SQLite's codes. */
const noCode = -1

const wordBytes = 4
const numberAt = wordCount * wordBytes
const textAt = numberAt + 8
const textMax = 4096
const bytesAt = textAt + textMax
/** More than all keys that may wait to be written at once. */
const bytesMax = 256 * 1024

/** Passes one statement at a time between threads in shared memory. Messages cost more than the write. */
export class SharedStatement {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array<SharedArrayBuffer>
  readonly #number: Float64Array
  /** The statement, then SQLite's error message. */
  readonly #text: Buffer
  readonly #bytes: Uint8Array

  constructor(buffer = new SharedArrayBuffer(bytesAt + bytesMax)) {
    this.buffer = buffer
    this.#words = new Int32Array(buffer, 0, wordCount)
    this.#number = new Float64Array(buffer, numberAt, 1)
    this.#text = Buffer.from(buffer, textAt, textMax)
    this.#bytes = new Uint8Array(buffer, bytesAt, bytesMax)
  }

  /** For the main thread, after `takeOutcome`. @returns false if the statement is too large */
  handOver({ sql, number, bytes }: NumberAndBytes): boolean {
    if (sql.length > textMax || bytes.length > bytesMax) return false
    this.#words[textLength] = this.#text.write(sql, 'latin1')
    this.#number[0] = number
    this.#bytes.set(bytes)
    this.#words[bytesLength] = bytes.length
    Atomics.store(this.#words, state, handedOver)
    this.wake()
    return true
  }

  takeOutcome(): Outcome | undefined {
    const now = Atomics.load(this.#words, state)
    if (now !== done && now !== failed) return undefined
    const outcome = now === done ? 'done' : this.#readFailure()
    Atomics.store(this.#words, state, free)
    return outcome
  }

  /** Asks for a message when the statement is answered, unless it has been already. */
  awaitMessage(): void {
    Atomics.compareExchange(this.#words, state, handedOver, awaited)
  }

  /** Call it after sending anything to SQLite's thread. */
  wake(): void {
    Atomics.add(this.#words, wakes, 1)
    Atomics.notify(this.#words, wakes)
  }

  /** For SQLite's thread: how many times it was woken so far. */
  wakes(): number {
    return Atomics.load(this.#words, wakes)
  }

  /** Sleeps until the next wake. Returns at once if there was one since `wakesSeen` was read. */
  sleep(wakesSeen: number): void {
    Atomics.wait(this.#words, wakes, wakesSeen)
  }

  take(): NumberAndBytes | undefined {
    const now = Atomics.load(this.#words, state)
    if (now !== handedOver && now !== awaited) return undefined
    return {
      sql: this.#readText(),
      number: this.#number[0] ?? 0,
      // SQLite does not accept shared memory.
      bytes: this.#bytes.slice(0, this.#words[bytesLength]),
    }
  }

  /** @returns whether the main thread asked for a message */
  answer(outcome: Outcome): boolean {
    if (outcome !== 'done') {
      this.#words[textLength] = this.#text.write(outcome.message, 'latin1')
      this.#words[resultCode] = outcome.resultCode ?? noCode
    }
    return Atomics.exchange(this.#words, state, outcome === 'done' ? done : failed) === awaited
  }

  #readFailure(): SqliteFailure {
    const code = this.#words[resultCode]
    return { message: this.#readText(), resultCode: code === noCode ? undefined : code }
  }

  #readText(): string {
    return this.#text.toString('latin1', 0, this.#words[textLength])
  }
}
