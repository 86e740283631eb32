import type { Clock } from '../../../clock.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { CachedIslands } from './cached-islands.ts'
import type { PublicIslandsStore, RelayOpeningOf } from './public-islands-store.ts'

/** An agent that lost its connection is usually back by then. */
export const graceMs = 10_000
/** An agent that found no server waits up to 30 s before it dials again. */
export const startGraceMs = 40_000

export interface Carriage {
  /** False if there is no relay. Then islands close without a grace period. */
  readonly isOn: boolean
  /** Connected to any server. */
  readonly isCarried: (island: {
    readonly key: number
    readonly carrierKey: number | null
  }) => boolean
  /** Calls the listener with each device whose agent may have come or gone. */
  readonly onChange: (listener: (deviceKey: number) => void) => void
}

/** Each change is on record before it is published, so a server that starts goes on from the last state. */
export function relayOpenings(options: {
  readonly store: Pick<PublicIslandsStore, 'recordOpenings'>
  readonly cached: Pick<CachedIslands, 'find' | 'carriedBy'>
  readonly clock: Clock
  /** All servers know all agents, but only one judges. */
  readonly cluster: Pick<Cluster, 'leads'>
  /** When it returns, memory is up to date. */
  readonly publish: (openings: readonly RelayOpeningOf[]) => void
  readonly onFailure: (error: unknown) => void
}) {
  const { store, cached, clock, cluster, publish, onFailure } = options
  let carriage: Carriage | undefined
  /** Since when nobody carries an open island, and until when that is tolerated. */
  const leaving = new Map<number, { readonly goneMs: number; readonly untilMs: number }>()
  const unwritten = new Map<number, RelayOpening>()
  const writes = new KeyedQueue<number>({ run: write, onFailure })

  const isCarried = (key: number): boolean => {
    const island = cached.find(key)
    if (island?.isRelayed !== true) return false
    return carriage?.isCarried({ key, carrierKey: island.carrierKey }) === true
  }

  const writeSoon = () => {
    if (unwritten.size > 0) void writes.add(...unwritten.keys())
  }

  const judgeOne = (key: number, waitMs: number) => {
    const island = cached.find(key)
    const isOpen = island?.relayOpening?.isOpen === true
    const isOpenNow = isCarried(key)
    if (isOpenNow || !isOpen) leaving.delete(key)
    if (isOpenNow === isOpen || island?.isRelayed !== true) {
      unwritten.delete(key)
      return
    }
    if (unwritten.get(key)?.isOpen === isOpenNow) return
    const now = clock()
    if (isOpenNow || waitMs === 0) unwritten.set(key, { isOpen: isOpenNow, sinceMs: now })
    else if (!leaving.has(key)) leaving.set(key, { goneMs: now, untilMs: now + waitMs })
  }

  /** Islands whose agents may have come or gone, or that changed themselves. */
  const judge = (islandKeys: Iterable<number>, waitMs = graceMs): void => {
    if (carriage === undefined || !cluster.leads()) return
    for (const key of islandKeys) judgeOne(key, carriage.isOn ? waitMs : 0)
    writeSoon()
  }

  async function write(islandKeys: Iterable<number>): Promise<void> {
    const due = [...islandKeys].flatMap((islandKey) => {
      const opening = unwritten.get(islandKey)
      unwritten.delete(islandKey)
      return opening?.isOpen === isCarried(islandKey) ? [{ islandKey, ...opening }] : []
    })
    if (due.length === 0) return
    try {
      const written = await store.recordOpenings(due)
      publish(written)
      // Agents may have come and gone meanwhile. Where memory has another state, a later change brings
      // it up to date.
      const taken = written.filter(
        ({ islandKey, isOpen }) => cached.find(islandKey)?.relayOpening?.isOpen === isOpen,
      )
      judge(taken.map(({ islandKey }) => islandKey))
    } catch (error) {
      for (const { islandKey, ...opening } of due) {
        if (!unwritten.has(islandKey)) unwritten.set(islandKey, opening)
      }
      throw error
    }
  }

  return {
    judge,
    follow: (given: Carriage): void => {
      carriage = given
      given.onChange((deviceKey) => judge(cached.carriedBy(deviceKey)))
    },
    /** The agents of open islands may be reconnecting. */
    begin: (islandKeys: Iterable<number>): void => {
      leaving.clear()
      unwritten.clear()
      judge(islandKeys, startGraceMs)
    },
    /** Call it often. It also retries failed writes. */
    closeLeft: (): void => {
      if (!cluster.leads()) return
      const now = clock()
      for (const [key, { goneMs, untilMs }] of leaving) {
        if (untilMs > now) continue
        leaving.delete(key)
        unwritten.set(key, { isOpen: false, sinceMs: goneMs })
      }
      writeSoon()
    },
    settled: () => writes.settled(),
  }
}
