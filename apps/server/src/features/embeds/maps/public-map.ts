import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Clock } from '../../../clock.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import type { MapFormat, MappedDevice } from './map-format.ts'
import type { MapTurns } from './map-turns.ts'

const minIntervalMs = 5000
/** So that making it for a new look takes a tenth of the time at most, however many devices there are. */
const restPerMaking = 10
/** What says when it was made is made anew so often, whatever happens or does not. */
const timeToldMs = 60_000
/** Of 100,000 devices that is 5 MB instead of 40, in half the time of the usual 6. */
const gzipLevel = 1

interface PublicMapOptions {
  readonly format: MapFormat
  /** Public devices, a part at a time between other work. */
  readonly read: () => AsyncIterable<readonly MappedDevice[]>
  readonly changes: ChangeSequence
  readonly clock: Clock
  /** Those of all maps. */
  readonly turns: MapTurns
}

interface MadeMap {
  readonly etag: string
  readonly gzip: Buffer
  readonly sequence: string
  readonly madeMs: number
  /** How often something had been withdrawn when it was begun. */
  readonly withdrawals: number
}

/**
 * All public devices in a format, made when somebody asks for it after a change, and not again within its
 * interval: those who ask meanwhile get the last one. What is withdrawn is in no answer to whoever asks from
 * then on: they wait until it is made anew. Kept is what is compressed alone.
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

  /** To be called when everybody may know less of a device than before. */
  withdraw(): void {
    this.#withdrawals += 1
  }

  async get(): Promise<MadeMap> {
    const wanted = this.#withdrawals
    const kept = this.#made
    if (kept !== undefined && kept.withdrawals >= wanted && this.#isServable(kept)) return kept
    for (;;) {
      this.#making ??= this.#options.turns
        .take(() => this.#make())
        .finally(() => {
          this.#making = undefined
        })
      const made = await this.#making
      // What was begun before may have what was withdrawn since.
      if (made.withdrawals >= wanted) return made
    }
  }

  #isServable({ sequence, madeMs }: MadeMap): boolean {
    const { format, changes, clock } = this.#options
    const ageMs = clock() - madeMs
    if (ageMs < Math.max(minIntervalMs, restPerMaking * this.#tookMs)) return true
    return changes.isCurrent(sequence) && !(format.tellsTime && ageMs >= timeToldMs)
  }

  async #make(): Promise<MadeMap> {
    const { format, changes, clock } = this.#options
    // What changes from here on may be in it or not; what is withdrawn has it made once more.
    const withdrawals = this.#withdrawals
    const sequence = await changes.sealed()
    const madeMs = clock()
    const gzip = await this.#write(madeMs)
    const etag = format.tellsTime ? `"${sequence}-${madeMs}"` : `"${sequence}"`
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
