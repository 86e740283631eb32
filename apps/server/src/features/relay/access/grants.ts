import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { hashToken } from '../../../secret-token.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { RelayBase } from '../relay-base.ts'
import { isLetIn, type EntryRights, type ServedIsland } from '../served-islands.ts'
import type { IslandHost } from '../visitors/read-host.ts'
import type { Transfer, Transfers } from '../visitors/transfers.ts'
import type { GrantsStore } from './grants-store.ts'

/** Changes by another server take effect within a second, changes by this one at once. */
const cachedMs = 900
const maxCached = 10_000

/** The right to enter an island that a visitor got for a ticket, with the rights of now. */
export interface Grant extends EntryRights {
  readonly islandKey: number
  /** Where it works; null for any name below RELAY_DOMAIN. */
  readonly hostName: string | null
  readonly userKey: number
  readonly sessionHash: Uint8Array
  /** What the island's service sees of the visitor; null for a visitor who stays unnamed. */
  readonly identity: { readonly id: string; readonly name: string } | null
  readonly isDemo: boolean
  readonly isOperator: boolean
  /** When the account was made. */
  readonly createdMs: number
}

interface Cached {
  readonly reading: Promise<Grant | undefined>
  found?: Grant
  isStale: boolean
}

export type Grants = ReturnType<typeof createGrants>

/** Grants by their cookies, cached for a moment, because a page loads dozens of files at a time. */
export function createGrants({
  store,
  clock,
  findSessionHolder,
  readRights,
}: Pick<RelayBase, 'clock' | 'readRights'> &
  Pick<AccountsFeature, 'findSessionHolder'> & { readonly store: Pick<GrantsStore, 'findGrant'> }) {
  const allCached = new LRUCache<string, Cached>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  const read = async (token: string): Promise<Grant | undefined> => {
    const record = await store.findGrant(hashToken(token))
    if (record === undefined) return undefined
    const { islandKey, hostName, userKey, sessionHash, visitorId } = record
    const [holder, rightsOf] = await Promise.all([
      findSessionHolder(sessionHash),
      readRights(islandKey, [userKey]),
    ])
    if (holder === undefined) return undefined
    const { mayEnter, entersPaused } = rightsOf(userKey)
    const { shownName, ...account } = holder
    const identity = visitorId === null ? null : { id: visitorId, name: shownName }
    return {
      islandKey,
      hostName,
      userKey,
      sessionHash,
      mayEnter,
      entersPaused,
      identity,
      ...account,
    }
  }

  const beginReading = (token: string): Cached => {
    const reading = read(token)
    const cached: Cached = { reading, isStale: false }
    allCached.set(token, cached)
    const forget = () => {
      if (allCached.peek(token) === cached) allCached.delete(token)
    }
    const settle = (grant: Grant | undefined) => {
      // Invalid cookies must not push grants out of the cache.
      if (grant === undefined) forget()
      else cached.found = grant
    }
    reading.then(settle, forget)
    return cached
  }

  return {
    /** @throws StorageUnavailable */
    find: async (token: string): Promise<Grant | undefined> => {
      for (;;) {
        const cached = allCached.get(token) ?? beginReading(token)
        const grant = await cached.reading
        if (!cached.isStale) return grant
      }
    },
    forget: (islandKey: number, userKey?: number): void => {
      for (const [token, cached] of allCached.entries()) {
        const { found } = cached
        if (found !== undefined && found.islandKey !== islandKey) continue
        if (found !== undefined && userKey !== undefined && found.userKey !== userKey) continue
        cached.isStale = true
        allCached.delete(token)
      }
    },
  }
}

/** Where a visitor came in. */
export type Entrance = Pick<IslandHost, 'name' | 'isOwnDomain'>

export function isFor({ hostName }: Grant, { name, isOwnDomain }: Entrance): boolean {
  return hostName === null ? !isOwnDomain : hostName === name
}

interface Connection {
  readonly grant: Grant | null
  readonly entrance: Entrance
  readonly cut: () => void
}

/** Ends transfers when their visitors lose the right to enter. */
export function createGrantConnections({
  transfers,
  islands,
  readRights,
  watchSessionOf,
}: Pick<RelayBase, 'readRights'> &
  Pick<AccountsFeature, 'watchSessionOf'> & {
    readonly transfers: Pick<Transfers, 'begin'>
    readonly islands: {
      readonly find: (
        islandKey: number,
      ) => Pick<ServedIsland, 'isStopped' | 'mayAnybodyEnter' | 'pause' | 'domain'> | undefined
    }
  }) {
  const byIsland = new Map<number, Set<Connection>>()

  const watch = (islandKey: number, connection: Connection, transfer: Transfer): Transfer => {
    const { grant, cut } = connection
    const connections = byIsland.get(islandKey) ?? new Set()
    byIsland.set(islandKey, connections.add(connection))
    const session = grant === null ? undefined : watchSessionOf(grant)
    session?.signal.addEventListener('abort', cut)
    return {
      mayRest: transfer.mayRest,
      end: () => {
        transfer.end()
        if (!connections.delete(connection)) return
        session?.stop()
        if (connections.size === 0) byIsland.delete(islandKey)
      },
    }
  }

  return {
    of:
      (grant: Grant | null, entrance: Entrance): Transfers['begin'] =>
      (options) => {
        const transfer = transfers.begin(options)
        if (transfer === undefined) return undefined
        const { islandKey, cut } = options
        return watch(islandKey, { grant, entrance, cut: () => cut('shut') }, transfer)
      },
    /** If storage can't answer, visitors with a grant have to leave too. */
    check: async (islandKey: number): Promise<void> => {
      const granted: { readonly cut: () => void; readonly userKey: number }[] = []
      const before = islands.find(islandKey)
      for (const { grant, entrance, cut } of byIsland.get(islandKey) ?? []) {
        if (entrance.isOwnDomain && before?.domain?.name !== entrance.name) cut()
        else if (grant !== null) granted.push({ cut, userKey: grant.userKey })
        else if (before?.isStopped !== false || !before.mayAnybodyEnter) cut()
      }
      if (granted.length === 0) return
      const userKeys = [...new Set(granted.map(({ userKey }) => userKey))]
      const rightsOf = await readRights(islandKey, userKeys).catch(() => undefined)
      const island = islands.find(islandKey)
      for (const { cut, userKey } of granted) {
        const mayStay = island?.isStopped === false && rightsOf !== undefined
        if (!mayStay || !isLetIn(island, rightsOf(userKey))) cut()
      }
    },
  }
}
