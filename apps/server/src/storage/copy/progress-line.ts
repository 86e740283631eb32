export interface Progress {
  readonly doing: 'Copying' | 'Comparing' | 'Reading'
  readonly label: string
  readonly done: number
  readonly total: number
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** The time between two lines about one table, on an output that keeps its lines. */
const lineMs = 10_000
const past = { Copying: 'Copied', Comparing: 'Compared', Reading: 'Read' } as const

/** One line that rewrites itself on a terminal; elsewhere a line for each table that is done. */
export class ProgressLine {
  readonly #output: Output
  readonly #now: () => number
  #saidMs: number

  constructor(output: Output, now = () => performance.now()) {
    this.#output = output
    this.#now = now
    this.#saidMs = now()
  }

  show({ doing, label, done, total }: Progress): void {
    const isDone = done >= total
    const count = total.toLocaleString('en')
    const line = isDone
      ? `${past[doing]} ${label}: ${count}`
      : `${doing} ${label}: ${done.toLocaleString('en')} of ${count}`
    if (this.#output.isTTY === true) {
      // A line wider than the terminal could not be erased. Some terminals report no width.
      const { columns = 0 } = this.#output
      this.#output.write(`${clearLine}${columns > 0 ? line.slice(0, columns - 1) : line}`)
    } else if (isDone || this.#now() - this.#saidMs >= lineMs) {
      this.#saidMs = this.#now()
      this.#output.write(`${line}\n`)
    }
  }

  clear(): void {
    if (this.#output.isTTY === true) this.#output.write(clearLine)
  }
}

const clearLine = '\r\u001B[2K'
