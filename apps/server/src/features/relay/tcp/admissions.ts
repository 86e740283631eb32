import { isoTime } from '../../../iso-time.ts'
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { portAdmissionHours } from '@astropelago/contract/limits'
import type { RelayBase } from '../relay-base.ts'
import { isLetIn, type ServedIslands } from '../served-islands.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import type { AdmissionsStore } from './admissions-store.ts'

const admissionMs = portAdmissionHours * 3_600_000
const recordEveryMs = 10 * 60_000
/** For one user on one island: at home, on the phone, and addresses that change overnight. */
const networksMax = 10

/** The users whose rights let a connection in. One who may enter is enough. */
export type Entrants = 'everybody' | readonly number[]

export type Admissions = ReturnType<typeof createAdmissions>

/** Unless the island is public, its port lets in networks from which users who may enter opened its page. */
export function createAdmissions({
  store,
  islands,
  clock,
  readRights,
}: Pick<RelayBase, 'readRights' | 'clock'> & {
  readonly store: AdmissionsStore
  readonly islands: Pick<ServedIslands, 'find'>
}) {
  const enteringOf = async (islandKey: number, userKeys: readonly number[]) => {
    if (userKeys.length === 0) return undefined
    const rightsOf = await readRights(islandKey, userKeys)
    const island = islands.find(islandKey)
    if (island === undefined) return undefined
    const entering = userKeys.filter((userKey) => isLetIn(island, rightsOf(userKey)))
    return entering.length === 0 ? undefined : entering
  }

  /** @throws StorageUnavailable */
  const entrantsAt = async (islandKey: number, ip: string): Promise<Entrants | undefined> => {
    const island = islands.find(islandKey)
    if (island === undefined || island.isStopped) return undefined
    if (island.mayAnybodyEnter) return 'everybody'
    const hash = hashOf(islandKey, networkOf(ip))
    return await enteringOf(islandKey, await store.usersAt(islandKey, hash, clock() - admissionMs))
  }

  return {
    entrantsAt,
    /** @returns the network as text, and until when it is let in */
    letIn: async (islandKey: number, userKey: number, ip: string) => {
      const network = networkOf(ip)
      const recordedMs = await store.admit(
        { islandKey, userKey, addressHash: hashOf(islandKey, network), atMs: clock() },
        { everyMs: recordEveryMs, max: networksMax },
      )
      const until = isoTime(recordedMs + admissionMs)
      return { network: isIPv6(network) ? `${network}/64` : network, until }
    },
    /** For a connection that was let in before. Its users need not open the page again. */
    stillEntrants: async (
      islandKey: number,
      ip: string,
      entrants: Entrants,
    ): Promise<Entrants | undefined> => {
      const island = islands.find(islandKey)
      const isForMembers = island?.mayAnybodyEnter === false && !island.isStopped
      return !isForMembers || entrants === 'everybody'
        ? await entrantsAt(islandKey, ip)
        : await enteringOf(islandKey, entrants)
    },
    deleteExpired: async (): Promise<void> => await store.deleteOld(clock() - admissionMs),
  }
}

/** Hides addresses only from a glance: all of IPv4 can be tried, so admissions are deleted soon. */
function hashOf(islandKey: number, network: string): Buffer {
  return createHash('sha256').update(`${islandKey} ${network}`).digest()
}
