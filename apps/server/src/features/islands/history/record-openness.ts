import type { Clock } from '../../../clock.ts'
import { isOpenlyKnown, isShown, type DoorFacts } from '../doors.ts'
import type { KnownIsland } from '../public/known-islands.ts'
import type { IslandFacts, PublicIslandsStore } from '../public/public-islands-store.ts'
import type { Audience, EventKind, FoundState, IslandHistoryStore } from './island-history-store.ts'

/** Of each island so many events are kept: an answer reads all of them. */
const eventsPerIsland = 10_000
/** As many in one step as a heartbeat may wait for. */
const islandsInStep = 250

interface RecordOpennessDeps {
  readonly store: Pick<IslandHistoryStore, 'note'>
  readonly islands: PublicIslandsStore
  /** What memory holds of an island. */
  readonly find: (islandKey: number) => KnownIsland | undefined
  /** Whether a device has never reported. */
  readonly isUnheard: (deviceKey: number) => boolean
  readonly clock: Clock
  /** Of all servers the one that leads records. */
  readonly leads: () => boolean
  /** Between two steps, so that they take a small part of the disk's time. */
  readonly rest: () => Promise<void>
}

/** Why an island is looked at: what opened it says since when, any other change is so since now. */
type Cause = 'opened' | 'changed'

/**
 * Writes down what islands are whenever they may be something else. Whoever begins to lead looks at all of
 * them: what they became meanwhile is on record since then, as far as presence and the relay know it.
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
          // Of an island that was never looked at nobody knows since when its device carries it.
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
    /** To be called with an island that may be something else now, or known to others. */
    look: (islandKey: number, cause: Cause): void => {
      if (waiting.get(islandKey) !== 'changed') waiting.set(islandKey, cause)
    },

    /** Of how many islands it is not on record yet what they may be by now. */
    waitingCount: () => waiting.size,

    /** What islands became until then is on record; null where this server does not lead. */
    get recordedUntilMs(): number | null {
      return recordedUntilMs
    },

    /** To be called often. What could not be written is left for the next time. */
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
  { carrierKey, hasAddress, isRelayed, relayOpening, opening }: KnownIsland,
  isUnheard: RecordOpennessDeps['isUnheard'],
): EventKind {
  if (carrierKey === null || opening.pause !== null) return 'unobserved'
  // Without a link there is nothing that could be open; the relay may have been told to carry nobody.
  if (isRelayed ? relayOpening === null : !hasAddress || isUnheard(carrierKey)) return 'unobserved'
  return opening.isOpen ? 'open' : 'closed'
}

function audienceOf(island: DoorFacts): Audience {
  const members = isShown(island)
  const everybody = members && isOpenlyKnown(island)
  return { members, users: everybody || (members && island.door === 'members'), everybody }
}
