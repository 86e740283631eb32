import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore } from './alerts-store.ts'
import { storeChanges, type Change, type StoreChangesDeps } from './store-changes.ts'

/** Changes of islands and who may know of them. `app.ts` provides them. */
export interface IslandChangeSource {
  /** Changes that have not been read for every user yet, oldest first. */
  readonly readChanges: (limit: number) => Promise<
    readonly {
      readonly sequence: number
      readonly islandKey: number
      readonly islandId: string
      /** Null if the island belongs to the installation. */
      readonly hostKey: number | null
      readonly kind: 'open' | 'closed' | 'unobserved'
      readonly atMs: number
      /** Users up to this key have been processed. */
      readonly toldUserKey: number
    }[]
  >
  /** Which of these users may be alerted now when an island opens or closes. */
  readonly whoMayGetAlerts: (
    pairs: readonly IslandUser[],
  ) => Promise<(userKey: number, islandKey: number) => boolean>
  /** Openings are recorded up to this time; null if they are not watched. */
  readonly recordedUntilMs: () => number | null
}

interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

type IslandChange = Awaited<ReturnType<IslandChangeSource['readChanges']>>[number]

type ReadIslandsDeps = Omit<StoreChangesDeps, 'store' | 'rules'> & {
  readonly store: StoreChangesDeps['store'] & Pick<AlertsStore, 'listToldOfIsland'>
  readonly rules: StoreChangesDeps['rules'] & Pick<AlertRulesStore, 'listChoosers'>
  readonly islands: Pick<IslandChangeSource, 'readChanges' | 'whoMayGetAlerts'>
}

/**
 * Turns one island's change into pending alerts for the next users that it concerns ([N20] to [N23]).
 * @returns whether there may be more
 */
export async function readIslands(
  { islands, ...deps }: ReadIslandsDeps,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<boolean> {
  const [change] = await islands.readChanges(1)
  if (change === undefined) return false
  const { sequence, islandKey, islandId, hostKey, kind, atMs } = change
  const { userKeys, last } = await nextUsers(deps, change, limit)
  const mayBeTold = await islands.whoMayGetAlerts(
    userKeys.map((userKey) => ({ userKey, islandKey })),
  )
  const changes = userKeys
    // The end of an outage is recorded for everybody who has it pending.
    .filter((userKey) => kind !== 'closed' || mayBeTold(userKey, islandKey))
    .map((userKey): Change => ({
      thing: { userKey, of: 'island', key: islandKey },
      id: islandId,
      isOwn: userKey === hostKey,
      isAway: kind === 'unobserved' ? null : kind === 'closed',
      atMs,
    }))
  const cursor = { kind: 'island', islandChange: sequence, toldUserKey: last } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return true
}

/** `last` is null if no users are left after these. */
async function nextUsers(
  { store, rules }: Pick<ReadIslandsDeps, 'store' | 'rules'>,
  { islandKey, hostKey, kind, toldUserKey }: IslandChange,
  limit: number,
): Promise<{ readonly userKeys: readonly number[]; readonly last: number | null }> {
  const page = { afterKey: toldUserKey, limit }
  const found =
    kind === 'closed'
      ? await rules.listChoosers(islandKey, page)
      : await store.listToldOfIsland(islandKey, page)
  const last = found.length === limit ? (found.at(-1) ?? null) : null
  if (kind !== 'closed' || hostKey === null) return { userKeys: found, last }
  const others = found.filter((userKey) => userKey !== hostKey)
  return { userKeys: toldUserKey === 0 ? [hostKey, ...others] : others, last }
}
