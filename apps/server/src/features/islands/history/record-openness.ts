import type { Clock } from '../../../clock.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { isPubliclyVisible, isShown, type AccessFacts } from '../access-policy.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { CachedIsland, CachedIslands } from '../public/cached-islands.ts'
import type { IslandFacts, PublicIslandsStore } from '../public/public-islands-store.ts'
import type { EventKind, FoundState, IslandHistoryStore } from './island-history-store.ts'

/** Events stored per island. One answer reads all of them. */
const eventsPerIsland = 10_000
/** Islands per step. A heartbeat may have to wait for one step. */
const islandsInStep = 250

/** Why to record an island: if it opened or closed, it says since when. Any other change counts from now. */
type Cause = 'opened' | 'changed'

/** Records all islands when this server begins to lead, and then each one that may have changed. */
export function recordOpenness(deps: {
  readonly store: Pick<IslandHistoryStore, 'record'>
  readonly islands: Pick<PublicIslandsStore, 'loadAll' | 'read'>
  readonly cached: Pick<CachedIslands, 'find'>
  readonly presence: Pick<CarrierPresence, 'status'>
  readonly clock: Clock
  /** Only the leading server records. */
  readonly cluster: Pick<Cluster, 'leads'>
  /** Waits between steps, so that they take a small part of the disk's time. */
  readonly rest: () => Promise<void>
}) {
  const { store, islands, presence, clock, cluster, rest } = deps
  let isUpToDate = false
  let recordedUntilMs: number | null = null
  let waiting = new Map<number, Cause>()

  const add = (islandKey: number, cause: Cause): void => {
    if (waiting.get(islandKey) !== 'changed') waiting.set(islandKey, cause)
  }

  const recordSome = async (facts: readonly IslandFacts[], causes?: ReadonlyMap<number, Cause>) => {
    const nowMs = clock()
    const found = facts.flatMap((island): FoundState[] => {
      const cached = deps.cached.find(island.key)
      if (cached === undefined) return []
      const cause = causes?.get(island.key)
      const openedMs = Math.min(nowMs, cached.opening.sinceMs ?? nowMs)
      return [
        {
          islandKey: island.key,
          kind: kindOf(cached, presence),
          sinceMs: cause === 'changed' ? nowMs : openedMs,
          // Nobody knows since when the device has carried an island that was never recorded.
          firstMs: cause === 'opened' ? openedMs : nowMs,
          audience: audienceOf(island),
        },
      ]
    })
    if (found.length > 0) await store.record(found, { nowMs, maxEvents: eventsPerIsland })
  }

  const recordAll = async (signal: AbortSignal | undefined): Promise<boolean> => {
    for await (const page of islands.loadAll()) {
      for (let at = 0; at < page.length; at += islandsInStep) {
        await recordSome(page.slice(at, at + islandsInStep))
        await rest()
        if (signal?.aborted === true || !cluster.leads()) return false
      }
    }
    return true
  }

  const recordWaiting = async (causes: ReadonlyMap<number, Cause>) => {
    const keys = [...causes.keys()]
    for (let at = 0; at < keys.length; at += islandsInStep) {
      await recordSome(await islands.read(keys.slice(at, at + islandsInStep)), causes)
    }
  }

  return {
    /** An island that may have changed, or that others may see now. */
    add,

    waitingCount: () => waiting.size,

    /** Null if this server does not lead. */
    get recordedUntilMs(): number | null {
      return recordedUntilMs
    },

    /** Call it often. It retries what could not be written. */
    record: async (signal?: AbortSignal): Promise<void> => {
      if (!cluster.leads()) {
        isUpToDate = false
        recordedUntilMs = null
        waiting.clear()
        return
      }
      if (!isUpToDate) isUpToDate = await recordAll(signal)
      const untilMs = clock()
      const causes = waiting
      waiting = new Map()
      try {
        await recordWaiting(causes)
        recordedUntilMs = isUpToDate ? untilMs : null
      } catch (error) {
        for (const [key, cause] of causes) add(key, cause)
        throw error
      }
    },
  }
}

/** [HI1] */
function kindOf(
  {
    carrierKey,
    hasAddress,
    isRelayed,
    isHosted,
    pages,
    relayOpening,
    check,
    opening,
  }: CachedIsland,
  presence: Pick<CarrierPresence, 'status'>,
): EventKind {
  const watcher = isHosted ? pages : (check ?? carrierKey)
  if (opening.pause !== null || watcher === null) return 'unobserved'
  // Without a server nobody observes anything.
  if (isHosted || check !== null || carrierKey === null) return opening.isOpen ? 'open' : 'closed'
  // Without a link nothing can be open. A relayed island without an address may just be stopped: closed.
  const isObserved = isRelayed
    ? relayOpening !== null
    : hasAddress && presence.status(carrierKey) !== 'unknown'
  if (!isObserved) return 'unobserved'
  return opening.isOpen ? 'open' : 'closed'
}

function audienceOf(island: AccessFacts): FoundState['audience'] {
  const members = isShown(island)
  const everybody = members && isPubliclyVisible(island)
  return { members, users: everybody || (members && island.access === 'members'), everybody }
}
