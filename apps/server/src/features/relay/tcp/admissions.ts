import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { portAdmissionHours } from '@astropelago/contract/limits'
import type { RelayBase } from '../relay-base.ts'
import { isLetIn, type RelayedIslands } from '../relayed-islands.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import type { AdmissionsStore } from './admissions-store.ts'

const admissionMs = portAdmissionHours * 3_600_000
const recordEveryMs = 10 * 60_000
/** For one user on one island: at home, on the phone, and addresses that change overnight. */
const networksMax = 10

/** The users whose rights let a connection in. One who may enter is enough. */
export type Entrants = 'everybody' | readonly number[]

interface AdmissionsOptions extends Pick<RelayBase, 'readRights' | 'clock'> {
  readonly store: AdmissionsStore
  readonly islands: Pick<RelayedIslands, 'find'>
}

/**
 * Who may connect to the port of an island. A game can't sign in, so unless the island is public, it lets
 * in the networks from which somebody who may enter has opened the island's page.
 */
export class Admissions {
  readonly #options: AdmissionsOptions

  constructor(options: AdmissionsOptions) {
    this.#options = options
  }

  /** @returns the network as text, and until when it is let in */
  async letIn(islandKey: number, userKey: number, ip: string) {
    const { store, clock } = this.#options
    const network = networkOf(ip)
    const recordedMs = await store.admit(
      { islandKey, userKey, addressHash: hashOf(islandKey, network), atMs: clock() },
      { everyMs: recordEveryMs, max: networksMax },
    )
    const until = new Date(recordedMs + admissionMs).toISOString()
    return { network: isIPv6(network) ? `${network}/64` : network, until }
  }

  /** @throws StorageUnavailable */
  async entrantsAt(islandKey: number, ip: string): Promise<Entrants | undefined> {
    const { store, islands, clock } = this.#options
    const island = islands.find(islandKey)
    if (island === undefined || island.isStopped) return undefined
    if (island.mayAnybodyEnter) return 'everybody'
    const hash = hashOf(islandKey, networkOf(ip))
    const users = await store.usersAt(islandKey, hash, clock() - admissionMs)
    return await this.#enteringOf(islandKey, users)
  }

  /** The same for a connection that was let in before. Its users need not open the page again. */
  async stillEntrants(
    islandKey: number,
    ip: string,
    entrants: Entrants,
  ): Promise<Entrants | undefined> {
    const island = this.#options.islands.find(islandKey)
    const isForMembers = island?.mayAnybodyEnter === false && !island.isStopped
    return !isForMembers || entrants === 'everybody'
      ? await this.entrantsAt(islandKey, ip)
      : await this.#enteringOf(islandKey, entrants)
  }

  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await store.deleteOld(clock() - admissionMs)
  }

  async #enteringOf(
    islandKey: number,
    userKeys: readonly number[],
  ): Promise<readonly number[] | undefined> {
    if (userKeys.length === 0) return undefined
    const rightsOf = await this.#options.readRights(islandKey, userKeys)
    const island = this.#options.islands.find(islandKey)
    if (island === undefined) return undefined
    const entering = userKeys.filter((userKey) => isLetIn(island, rightsOf(userKey)))
    return entering.length === 0 ? undefined : entering
  }
}

/**
 * Keeps addresses from being read at a glance or compared between islands. Trying all of IPv4 reverses it,
 * so admissions are deleted soon.
 */
function hashOf(islandKey: number, network: string): Buffer {
  return createHash('sha256').update(`${islandKey} ${network}`).digest()
}
