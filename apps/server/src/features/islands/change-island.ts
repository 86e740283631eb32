import { isDeepStrictEqual } from 'node:util'
import type { IslandChanges } from '@astropelago/contract/islands'
import { DomainError } from '../../domain-error.ts'
import type { Clock } from '../../clock.ts'
import type { RelayAddress } from '../../relay-address.ts'
import { ReferenceViolation } from '../../storage/storage-error.ts'
import { mayKnow } from './access-policy.ts'
import type { ChangedIsland, IslandRecord, IslandsStore, IslandUpdate } from './islands-store.ts'

export interface CarrierDeps {
  /** Undefined if the user has no such device. */
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
  readonly relayAddress: RelayAddress
}

interface ChangeIslandDeps extends CarrierDeps {
  readonly clock: Clock
  readonly store: Pick<IslandsStore, 'update' | 'findById' | 'listNeighbours' | 'findManyBySlug'>
}

/**
 * Changes one of the user's own islands.
 * @returns its key, and whether anything changed
 * @throws DomainError `not_found`, `invalid_island`
 */
export async function changeIsland(
  deps: ChangeIslandDeps,
  userKey: number,
  id: string,
  { carrier, neighbours, ...said }: IslandChanges,
): Promise<ChangedIsland> {
  const details = withOneWay(said)
  const carrierKey =
    carrier === undefined || carrier === null
      ? carrier
      : await findCarrierKey(deps, userKey, carrier)
  const neighbourKeys =
    neighbours === undefined
      ? undefined
      : await findNeighbourKeys(deps, { userKey, id, neighbours })
  const changes = { ...details, carrierKey, neighbourKeys }
  const island = (await deps.store.findById(userKey, id))?.island
  if (island === undefined || island.hostKey !== userKey) throw new DomainError('not_found')
  checkRelay(deps, {
    isRelayed: details.isRelayed ?? island.isRelayed,
    isNew: details.isRelayed === true,
    carrierKey: carrierKey === undefined ? (island.carrier?.key ?? null) : carrierKey,
  })
  // Write nothing, so that nobody is notified without reason.
  if (await isSoAlready(deps, island, changes)) return { key: island.key, isChanged: false }
  const { rules = island.rules } = details
  // Nobody has accepted the rules of a draft.
  const isNewRule = rules !== island.rules && island.publishedMs !== null
  const update = { ...changes, ...(isNewRule && { rulesChangedMs: deps.clock() }) }
  const key = await unlessGone(deps.store.update(userKey, id, update))
  if (key === undefined) throw new DomainError('not_found')
  return { key, isChanged: true }
}

/**
 * Makes a link replace the relay, and the relay replace a link.
 * @throws DomainError `invalid_island`
 */
export function withOneWay<Details extends Pick<IslandChanges, 'address' | 'isRelayed'>>(
  details: Details,
): Details {
  const { address, isRelayed } = details
  const hasLink = address !== undefined && address !== null
  if (isRelayed === true && hasLink) {
    throw new DomainError('invalid_island', {
      fields: { address: 'An island has a link of its own or the relay, not both.' },
    })
  }
  if (isRelayed === true) return { ...details, address: null }
  return hasLink ? { ...details, isRelayed: false } : details
}

interface RelayWish {
  readonly isRelayed: boolean
  /** Whether this change turns the relay on. */
  readonly isNew: boolean
  readonly carrierKey: number | null
}

/** @throws DomainError `invalid_island` */
export function checkRelay(
  { relayAddress }: Pick<CarrierDeps, 'relayAddress'>,
  { isRelayed, isNew, carrierKey }: RelayWish,
): void {
  if (!isRelayed) return
  if (isNew && relayAddress('') === null) {
    throw new DomainError('invalid_island', {
      fields: { isRelayed: 'This server has no relay. Whoever runs it can turn it on.' },
    })
  }
  if (carrierKey === null) {
    throw new DomainError('invalid_island', {
      fields: { carrier: 'Choose the device that the island runs on.' },
    })
  }
}

async function isSoAlready(
  { store }: Pick<ChangeIslandDeps, 'store'>,
  island: IslandRecord,
  { carrierKey, neighbourKeys, ...details }: IslandUpdate,
): Promise<boolean> {
  const isSame =
    isDeepStrictEqual({ ...island, ...details }, { ...island }) &&
    (carrierKey === undefined || carrierKey === (island.carrier?.key ?? null))
  if (!isSame || neighbourKeys === undefined) return isSame
  const neighbours = await store.listNeighbours(island.hostKey, island.key)
  const keys = neighbours.map((found) => found.island.key)
  return isDeepStrictEqual(keys, neighbourKeys)
}

/** @throws DomainError `invalid_island` */
export async function findCarrierKey(
  { findOwnDeviceKey }: CarrierDeps,
  userKey: number,
  id: string,
): Promise<number> {
  const key = await findOwnDeviceKey(userKey, id)
  if (key === undefined) {
    throw new DomainError('invalid_island', {
      fields: { carrier: 'This is not one of your devices.' },
    })
  }
  return key
}

interface NamedNeighbours {
  readonly userKey: number
  /** The island whose neighbours they are. */
  readonly id: string
  readonly neighbours: readonly string[]
}

/** A neighbour that the host may not see gets the same error as one that does not exist. */
async function findNeighbourKeys(
  { store }: ChangeIslandDeps,
  { userKey, id, neighbours }: NamedNeighbours,
): Promise<readonly number[]> {
  const found = neighbours.length === 0 ? [] : await store.findManyBySlug(userKey, neighbours)
  const keys = new Map(
    found
      .filter(({ island, viewer }) => mayKnow(island, viewer))
      .map(({ island }) => [island.slug, island]),
  )
  return neighbours.map((slug) => {
    const island = keys.get(slug)
    if (island === undefined) throw noNeighbour(`There is no island at “${slug}”.`)
    if (island.id === id) throw noNeighbour('An island can’t be its own neighbour.')
    return island.key
  })
}

function noNeighbour(sentence: string): DomainError {
  return new DomainError('invalid_island', { fields: { neighbours: sentence } })
}

/** Turns the failure of a write whose device or neighbour was just deleted into `invalid_island`. */
export async function unlessGone<Result>(written: Promise<Result>): Promise<Result> {
  try {
    return await written
  } catch (error) {
    if (!(error instanceof ReferenceViolation)) throw error
    throw new DomainError('invalid_island', { cause: error })
  }
}
