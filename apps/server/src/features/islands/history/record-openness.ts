import type { Clock } from '../../../clock.ts'
import { isPubliclyVisible, isShown, type AccessFacts } from '../access-policy.ts'
import type { CachedIsland } from '../public/cached-islands.ts'
import type { IslandFacts, PublicIslandsStore } from '../public/public-islands-store.ts'
import type { Audience, EventKind, FoundState, IslandHistoryStore } from './island-history-store.ts'

/** Events kept per island. One answer reads all of them. */
const eventsPerIsland = 10_000
/** Islands per step. A heartbeat may have to wait for one step. */
const islandsInStep = 250

interface RecordOpennessDeps {
  readonly store: Pick<IslandHistoryStore, 'note'>
  readonly islands: PublicIslandsStore
  /** The island in memory. */
  readonly find: (islandKey: number) => CachedIsland | undefined
  /** Whether a device has never reported. */
  readonly isUnheard: (deviceKey: number) => boolean
  readonly clock: Clock
  /** Only the leading server records. */
  readonly leads: () => boolean
  /** Waits between steps, so that they take a small part of the disk's time. */
  readonly rest: () => Promise<void>
}

/**
 * Why to look at an island: if it opened or closed, it says since when. Any other change counts from now.
 */
type Cause = 'opened' | 'changed'

/**
 * Records what islands are whenever that may have changed. A server that begins to lead looks at all
 * islands, and records changes from the meantime with the times that presence and the relay have for them.
 */
export function recordOpenness({
  store,
  islands,
  find,
  isUnheard,
  clock,
  leads,
  rest,
}: RecordOpennessDeps) {
  let isUpToDate = false
  let recordedUntilMs: number | null = null
  let waiting = new Map<number, Cause>()

  const note = async (facts: readonly IslandFacts[], causeOf: (key: number) => Cause | null) => {
    const nowMs = clock()
    const found = facts.flatMap((island): FoundState[] => {
      const known = find(island.key)
      if (known === undefined) return []
      const cause = causeOf(island.key)
      const openedMs = Math.min(nowMs, known.opening.sinceMs ?? nowMs)
      return [
        {
          islandKey: island.key,
          kind: kindOf(known, isUnheard),
          sinceMs: cause === 'changed' ? nowMs : openedMs,
          // If an island was never looked at, nobody knows since when its device has carried it.
          firstMs: cause === 'opened' ? openedMs : nowMs,
          audience: audienceOf(island),
        },
      ]
    })
    if (found.length > 0) await store.note(found, { nowMs, kept: eventsPerIsland })
  }

  const noteAll = async (signal: AbortSignal | undefined): Promise<boolean> => {
    for await (const page of islands.loadAll()) {
      for (let at = 0; at < page.length; at += islandsInStep) {
        await note(page.slice(at, at + islandsInStep), () => null)
        await rest()
        if (signal?.aborted === true || !leads()) return false
      }
    }
    return true
  }

  const noteWaiting = async (causes: ReadonlyMap<number, Cause>) => {
    const keys = [...causes.keys()]
    for (let at = 0; at < keys.length; at += islandsInStep) {
      const facts = await islands.read(keys.slice(at, at + islandsInStep))
      await note(facts, (key) => causes.get(key) ?? null)
    }
  }

  return {
    /** Call it with an island that may have changed, or that others may see now. */
    look: (islandKey: number, cause: Cause): void => {
      if (waiting.get(islandKey) !== 'changed') waiting.set(islandKey, cause)
    },

    /** How many islands may have changes that are not recorded yet. */
    waitingCount: () => waiting.size,

    /** Changes up to this time are recorded; null if this server does not lead. */
    get recordedUntilMs(): number | null {
      return recordedUntilMs
    },

    /** Call it often. The next call retries what could not be written. */
    record: async (signal?: AbortSignal): Promise<void> => {
      if (!leads()) {
        isUpToDate = false
        recordedUntilMs = null
        waiting.clear()
        return
      }
      if (!isUpToDate) isUpToDate = await noteAll(signal)
      const untilMs = clock()
      const causes = waiting
      waiting = new Map()
      try {
        await noteWaiting(causes)
        recordedUntilMs = isUpToDate ? untilMs : null
      } catch (error) {
        for (const [key, cause] of causes) {
          if (waiting.get(key) !== 'changed') waiting.set(key, cause)
        }
        throw error
      }
    },
  }
}

/** [HI1] */
function kindOf(
  { carrierKey, hasAddress, isRelayed, relayOpening, opening }: CachedIsland,
  isUnheard: RecordOpennessDeps['isUnheard'],
): EventKind {
  if (carrierKey === null || opening.pause !== null) return 'unobserved'
  // Without a link nothing can be open. A relayed island without an address may just be stopped: closed.
  if (isRelayed ? relayOpening === null : !hasAddress || isUnheard(carrierKey)) return 'unobserved'
  return opening.isOpen ? 'open' : 'closed'
}

function audienceOf(island: AccessFacts): Audience {
  const members = isShown(island)
  const everybody = members && isPubliclyVisible(island)
  return { members, users: everybody || (members && island.access === 'members'), everybody }
}
