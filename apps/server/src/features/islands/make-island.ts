import { randomUUID } from 'node:crypto'
import type { NewIsland } from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import {
  checkRelay,
  findCarrierKey,
  unlessGone,
  withOneWay,
  type CarrierDeps,
} from './change-island.ts'
import type { IslandsStore } from './islands-store.ts'
import { secretSlug, slugFault, slugOfName } from './slugs.ts'

export interface MakeIslandDeps extends CarrierDeps {
  readonly store: Pick<IslandsStore, 'insert'>
  readonly clock: Clock
}

/**
 * Makes a draft, which only its host may see. Whether the wished slug is taken comes up on publication.
 * @throws DomainError `invalid_island`, `island_limit`
 * @throws TotalReached
 */
export async function makeIsland(
  deps: MakeIslandDeps,
  userKey: number,
  { carrier, slug, picture, ...details }: NewIsland,
): Promise<{ readonly key: number; readonly id: string }> {
  const wish = slug ?? slugOfName(details.name)
  const fault = slugFault(wish)
  if (fault !== undefined) throw new DomainError('invalid_island', { fields: { slug: fault } })
  const carrierKey = carrier === null ? null : await findCarrierKey(deps, userKey, carrier)
  const { isRelayed } = details
  checkRelay(deps, { isRelayed, isNew: isRelayed, carrierKey })
  const id = randomUUID()
  const island = {
    ...withOneWay(details),
    id,
    userKey,
    slug: secretSlug(wish),
    picture: picture ?? seedOf(slug ?? details.name),
    carrierKey,
    createdMs: deps.clock(),
  }
  const key = await unlessGone(deps.store.insert(island, islandsPerUser))
  if (key === undefined) throw new DomainError('island_limit')
  return { key, id }
}
