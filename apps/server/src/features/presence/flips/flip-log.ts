import type { FastifyBaseLogger } from 'fastify'
import type { FlipStore, FlipPage } from './flip-store.ts'

const reader = 'log'
const devicesPerLine = 20

/** Logs every flip, many in one line. It reads the store, so none is missed even if the server is killed. */
export function createFlipLog({
  store,
  log,
  flipsPerLine = 2000,
}: {
  readonly store: FlipStore
  readonly log: Pick<FastifyBaseLogger, 'info'>
  /** A larger storm takes several lines. 2,000 flips take about 10 ms to read. */
  readonly flipsPerLine?: number
}) {
  /** At first there may be flips that the previous run did not get to. */
  let mayHaveMore = true
  return {
    expectFlips: (): void => {
      mayHaveMore = true
    },
    write: async (): Promise<void> => {
      if (!mayHaveMore) return
      mayHaveMore = false
      try {
        const page = await store.read(reader, flipsPerLine)
        if (page === undefined) return
        mayHaveMore = true
        log.info(lineOf(page), 'devices flipped')
        await store.moveOn(reader, page)
      } catch (error) {
        mayHaveMore = true
        throw error
      }
    },
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
