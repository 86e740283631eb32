import type { FastifyBaseLogger } from 'fastify'
import type { FlipStore, FlipPage } from './flip-store.ts'

const reader = 'log'
/** Up to this many devices, the log line names each one. */
const devicesPerLine = 20

interface FlipLogOptions {
  readonly store: FlipStore
  readonly log: Pick<FastifyBaseLogger, 'info'>
  /** A larger storm takes several lines. 2,000 flips take about 10 ms to read. */
  readonly flipsPerLine?: number
}

/**
 * Logs every flip for the operator, many in one line. It reads the store, so every durable flip is logged
 * at least once, even if the server is killed in between.
 */
export class FlipLog {
  readonly #store: FlipStore
  readonly #log: FlipLogOptions['log']
  readonly #flipsPerLine: number
  /** At first there may be flips that the previous run did not get to. */
  #mayHaveMore = true

  constructor({ store, log, flipsPerLine = 2000 }: FlipLogOptions) {
    this.#store = store
    this.#log = log
    this.#flipsPerLine = flipsPerLine
  }

  noteFlips(): void {
    this.#mayHaveMore = true
  }

  /** Writes a line with everything since the last one, if there is anything. */
  async write(): Promise<void> {
    if (!this.#mayHaveMore) return
    this.#mayHaveMore = false
    try {
      const page = await this.#store.read(reader, this.#flipsPerLine)
      if (page === undefined) return
      this.#mayHaveMore = true
      this.#log.info(lineOf(page), 'devices flipped')
      await this.#store.moveOn(reader, page)
    } catch (error) {
      this.#mayHaveMore = true
      throw error
    }
  }
}

/** A line that is written twice has the same sequences. */
function lineOf({ writer, sequences, deviceIds, statuses }: FlipPage): object {
  const online = statuses.filter((status) => status === 'online').length
  return {
    event: 'devices_flipped',
    online,
    offline: statuses.length - online,
    devices: [...new Set(deviceIds)].slice(0, devicesPerLine),
    writer,
    sequences: [sequences.at(0), sequences.at(-1)],
  }
}
