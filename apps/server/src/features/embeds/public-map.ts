import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Clock } from '../../clock.ts'
import type { ChangeSequence } from '../../public-messages.ts'
import type { ListedDevice } from '../devices/public.ts'
import type { MapFormat } from './map-format.ts'

const minIntervalMs = 5000
/** Making the map on request takes at most a tenth of the time, however many devices there are. */
const restPerMaking = 10
/** A map that contains its time is made again this often, even without changes. */
const timedMaxAgeMs = 60_000
/** For 100,000 devices this gives 5 MB instead of 40, in half the time of the default level 6. */
const gzipLevel = 1
const restPerTurn = 3

interface PublicMapOptions {
  readonly format: MapFormat
  /** In parts, so that other work can run in between. */
  readonly read: () => AsyncIterable<readonly ListedDevice[]>
  readonly changes: ChangeSequence
  readonly clock: Clock
  readonly turns: MapTurns
}

interface MadeMap {
  readonly etag: string
  readonly gzip: Buffer
  readonly sequence: string
  readonly madeMs: number
  /** How often something was withdrawn before the making began. */
  readonly withdrawals: number
}

/**
 * All public devices in one format. The map is made on request after a change, but not again within its
 * interval: until then requests get the last one. Requests after a withdrawal wait for a new map, so that
 * they never get what was withdrawn. Only the compressed map is cached.
 */
export class PublicMap {
  readonly #options: PublicMapOptions
  #withdrawals = 0
  #made: MadeMap | undefined
  #making: Promise<MadeMap> | undefined
  #tookMs = 0

  constructor(options: PublicMapOptions) {
    this.#options = options
  }

  withdraw(): void {
    this.#withdrawals += 1
  }

  async get(): Promise<MadeMap> {
    const wanted = this.#withdrawals
    const last = this.#made
    if (last !== undefined && last.withdrawals >= wanted && this.#isServable(last)) return last
    for (;;) {
      this.#making ??= this.#options.turns
        .take(() => this.#make())
        .finally(() => {
          this.#making = undefined
        })
      const made = await this.#making
      // A making that began earlier may contain what was withdrawn since.
      if (made.withdrawals >= wanted) return made
    }
  }

  #isServable({ sequence, madeMs }: MadeMap): boolean {
    const { format, changes, clock } = this.#options
    const ageMs = clock() - madeMs
    if (ageMs < Math.max(minIntervalMs, restPerMaking * this.#tookMs)) return true
    return changes.isCurrent(sequence) && !(format.isTimed && ageMs >= timedMaxAgeMs)
  }

  async #make(): Promise<MadeMap> {
    const { format, changes, clock } = this.#options
    // Later changes may or may not be included. After a withdrawal the map is made once more.
    const withdrawals = this.#withdrawals
    const sequence = await changes.sealed()
    const madeMs = clock()
    const gzip = await this.#write(madeMs)
    const etag = format.isTimed ? `"${sequence}-${madeMs}"` : `"${sequence}"`
    this.#made = { etag, gzip, sequence, madeMs, withdrawals }
    this.#tookMs = clock() - madeMs
    return this.#made
  }

  async #write(nowMs: number): Promise<Buffer> {
    const { format, read } = this.#options
    const texts = async function* () {
      yield format.start(nowMs)
      let isFirst = true
      for await (const part of read()) {
        let text = ''
        for (const device of part) {
          const written = format.device(device, nowMs)
          if (written === undefined) continue
          text += (isFirst ? '' : ',') + JSON.stringify(written)
          isFirst = false
        }
        if (text !== '') yield text
      }
      yield format.end
    }
    const compressed: Buffer[] = []
    await pipeline(
      Readable.from(texts(), { objectMode: false }),
      createGzip({ level: gzipLevel }),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) compressed.push(chunk)
      },
    )
    return Buffer.concat(compressed)
  }
}

export type MapTurns = ReturnType<typeof createMapTurns>

/** Makes maps one at a time, with rests, so that all of them take at most a quarter of the time. */
export function createMapTurns({
  clock,
  rest = wait,
}: {
  readonly clock: Clock
  readonly rest?: (ms: number) => Promise<unknown>
}) {
  let last: Promise<unknown> = Promise.resolve()
  let endedMs = 0
  let restMs = 0
  return {
    take: <Made>(make: () => Promise<Made>): Promise<Made> => {
      const turn = last.then(async () => {
        const leftMs = endedMs + restMs - clock()
        if (leftMs > 0) await rest(leftMs)
        const begunMs = clock()
        try {
          return await make()
        } finally {
          endedMs = clock()
          restMs = restPerTurn * (endedMs - begunMs)
        }
      })
      // The next turn does not fail with this one.
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
