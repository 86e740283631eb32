import { promisify } from 'node:util'
import { setImmediate as otherWork } from 'node:timers/promises'
import { gzip } from 'node:zlib'
import { listEtag } from '@astropelago/contract/feed'
import type { Neighbour, NeighbourDevice, NeighbourIsland } from '@astropelago/contract/neighbours'
import type { Clock } from '../../../clock.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { PublicMessages } from '../../../public-messages.ts'
import type {
  Counts,
  NeighbourRecord,
  NeighboursStore,
  NeighbourSubject,
  StoredDevice,
  StoredIsland,
} from './neighbours-store.ts'

const hourMs = 3_600_000
/** Without contact for so long, nothing of a neighbour is shown. */
const hiddenAfterMs = 24 * hourMs
/** How late something is hidden because time has passed. */
const rereadMs = 60_000
const gzipLevel = 1

const compress = promisify(gzip)

export interface ShownNeighbour {
  readonly record: NeighbourRecord
  readonly counts: Counts
}

interface ShownParts {
  readonly store: Pick<NeighboursStore, 'list' | 'countAll' | 'listHidden' | 'loadDevices'>
  readonly messages: Pick<PublicMessages, 'sealed'>
  readonly clock: Clock
}

/** What everybody may see of neighbours. A copy in memory is made anew on request after a change. */
export class ShownNeighbours {
  readonly #clock: Clock
  #version = 0
  #withdrawals = 0
  readonly #neighbours
  readonly #devices

  constructor({ store, messages, clock }: ShownParts) {
    this.#clock = clock
    const isCurrent = ({ version, nowMs }: { version: number; nowMs: number }) =>
      version === this.#version && clock() - nowMs < rereadMs

    this.#neighbours = new PacedAnswer({
      clock,
      isCurrent,
      make: this.#untilNothingIsWithdrawn(async () => {
        const [records, counts] = [await store.list(), await store.countAll()]
        const shown = records.map((record) => {
          const of = counts.get(record.key) ?? { devices: 0, islands: 0 }
          return [record.key, { record, counts: of }] as const
        })
        const hidden = hiddenIds(await store.listHidden())
        return { byKey: new Map(shown), hidden, version: Number.POSITIVE_INFINITY }
      }),
    })
    this.#devices = new PacedAnswer({
      clock,
      isCurrent,
      make: this.#untilNothingIsWithdrawn(async () => {
        const { byKey, version } = await this.#read()
        const sequence = await messages.sealed()
        const parts: string[] = []
        for await (const page of store.loadDevices([...byKey.keys()])) {
          for (const device of page) {
            const neighbour = byKey.get(device.neighbourKey)
            if (neighbour === undefined) continue
            parts.push(JSON.stringify(presentDevice(neighbour.record, device)))
          }
          await otherWork()
        }
        const json = Buffer.from(
          `{"sequence":${JSON.stringify(sequence)},"devices":[${parts.join(',')}]}`,
        )
        const gzipped = await compress(json, { level: gzipLevel })
        return { etag: listEtag(sequence), json, gzipped, version }
      }),
    })
  }

  /** Something of neighbours has changed. */
  change(): void {
    this.#version += 1
  }

  /** A neighbour says something new of itself. However often, its devices are listed at their own pace. */
  renew(): void {
    this.change()
    this.#neighbours.forget()
  }

  /** Less may be shown than before. */
  withdraw(): void {
    this.change()
    this.#withdrawals += 1
    this.#neighbours.forget()
    this.#devices.forget()
  }

  async byKey(): Promise<ReadonlyMap<number, ShownNeighbour>> {
    return (await this.#read()).byKey
  }

  async #read() {
    const { byKey, version } = await this.#neighbours.get()
    const nowMs = this.#clock()
    return {
      byKey: new Map([...byKey].filter(([, { record }]) => isShown(record, nowMs))),
      version,
    }
  }

  async isHidden(key: number, { kind, id }: NeighbourSubject): Promise<boolean> {
    return (await this.#neighbours.get()).hidden.has(`${key} ${kind} ${id}`)
  }

  readonly devices = () => this.#devices.get()

  /** An answer is as old as what it was made of. */
  #untilNothingIsWithdrawn<Answer extends { readonly version: number }>(
    make: () => Promise<Answer>,
  ) {
    return async () => {
      for (;;) {
        const [version, withdrawals, nowMs] = [this.#version, this.#withdrawals, this.#clock()]
        const answer = await make()
        if (withdrawals !== this.#withdrawals) continue
        return { ...answer, version: Math.min(version, answer.version), nowMs }
      }
    }
  }
}

/** Whether what came from it is shown. */
function isShown({ state, contactMs }: NeighbourRecord, nowMs: number): boolean {
  return state === 'following' && contactMs !== null && contactMs > nowMs - hiddenAfterMs
}

export function presentNeighbour({ record, counts }: ShownNeighbour): Neighbour {
  const { id, name, address, colour } = record
  return { id, name, address, colour, islandCount: counts.islands, deviceCount: counts.devices }
}

type Presented = Pick<NeighbourRecord, 'id' | 'address'>

export function presentDevice(
  neighbour: Pick<Presented, 'id'>,
  { id, label, lat, lon, status }: Omit<StoredDevice, 'key' | 'neighbourKey'>,
): NeighbourDevice {
  return { id: idOf(neighbour, id), label, lat, lon, status }
}

export function presentIsland(
  neighbour: Presented,
  {
    id,
    slug,
    name,
    kind,
    picture,
    tagline,
    access,
    isOpen,
    deviceId,
  }: Omit<StoredIsland, 'key' | 'neighbourKey'>,
): NeighbourIsland {
  return {
    id: idOf(neighbour, id),
    neighbour: neighbour.id,
    slug,
    name,
    kind,
    picture,
    tagline,
    access,
    isOpen,
    deviceId: deviceId === null ? null : idOf(neighbour, deviceId),
    url: `${neighbour.address}/islands/${encodeURIComponent(slug)}`,
  }
}

/** Two installations may have the same id. */
export function idOf({ id: neighbourId }: Pick<Presented, 'id'>, id: string): string {
  return `${neighbourId}:${id}`
}

function hiddenIds(hidden: ReadonlyMap<number, readonly NeighbourSubject[]>): ReadonlySet<string> {
  return new Set(
    [...hidden].flatMap(([key, subjects]) =>
      subjects.map(({ kind, id }) => `${key} ${kind} ${id}`),
    ),
  )
}
