import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  pauseEndProblem,
  type AccessPolicy,
  type IslandChanges,
  type NewIsland,
  type NewPause,
} from '@astropelago/contract/islands'
import { islandsPerDemoUser, islandsPerUser } from '@astropelago/contract/limits'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { ReferenceViolation, UniqueViolation } from '../../storage/storage-error.ts'
import { isPubliclyVisible } from './access-policy.ts'
import { findHostedIsland, isVisible } from './find-island.ts'
import { pauseAt } from './island-openness.ts'
import type { IslandsContext } from './islands-context.ts'
import type { IslandRecord, IslandsStore, IslandUpdate } from './islands-store.ts'
import { checkSlug, secretSlug, slugFault, slugOfName } from './slugs.ts'

const sentences = {
  taken: 'Another island has this address, or one that looks like it.',
  limit_reached: 'Your islands can’t use more new addresses. Use one of your old addresses again.',
} as const

/** @throws DomainError `invalid_island`, `island_limit`, `demo_account`; TotalReached */
export async function makeIsland(
  context: IslandsContext,
  { userKey, isDemo }: Pick<UserCaller, 'userKey' | 'isDemo'>,
  { carrier, slug, picture, ...details }: NewIsland,
): Promise<string> {
  // It is gone within a day: it gets no name that others may want, and nothing but pages here.
  if (isDemo && (!details.isHosted || slug !== undefined)) throw new DomainError('demo_account')
  const wish = isDemo ? 'demo' : (slug ?? slugOfName(details.name))
  checkSlug(wish)
  const carrierKey = await findCarrierKey(context, userKey, carrier)
  const { isRelayed, isHosted } = details
  checkRelay(context, { isRelayed, isNew: isRelayed, carrierKey })
  checkHosting(context, isHosted)
  const id = randomUUID()
  const island = {
    ...withOneWay(details),
    id,
    userKey,
    slug: secretSlug(wish),
    picture: picture ?? seedOf(slug ?? details.name),
    carrierKey,
    createdMs: context.clock(),
  }
  const key = await unlessGone(
    context.islands.insert(island, isDemo ? islandsPerDemoUser : islandsPerUser),
  )
  if (key === undefined) throw new DomainError('island_limit')
  return id
}

/** @throws DomainError `not_found`, `invalid_island` */
export async function changeIsland(
  context: IslandsContext,
  userKey: number,
  id: string,
  { carrier, neighbours, ...given }: IslandChanges,
): Promise<void> {
  const { islands, clock } = context
  const details = withOneWay(given)
  const carrierKey = await findCarrierKey(context, userKey, carrier)
  const neighbourKeys = neighbours && (await findNeighbourKeys(islands, userKey, id, neighbours))
  const changes = { ...details, carrierKey, neighbourKeys }
  const { island } = await findHostedIsland(islands, userKey, id)
  checkRelay(context, {
    isRelayed: details.isRelayed ?? island.isRelayed,
    isNew: details.isRelayed === true,
    carrierKey: carrierKey === undefined ? (island.carrier?.key ?? null) : carrierKey,
  })
  checkHosting(context, details.isHosted === true && !island.isHosted)
  // Write nothing, so that nobody is notified without reason.
  if (await isSoAlready(islands, island, changes)) return
  const { rules = island.rules } = details
  // Nobody has accepted the rules of a draft.
  const isNewRule = rules !== island.rules && island.publishedMs !== null
  const update = { ...changes, ...(isNewRule && { rulesChangedMs: clock() }) }
  await updateIsland(islands, userKey, id, update)
}

/** A pause goes on with the new text and end. @throws DomainError `not_found`, `invalid_island` */
export async function pauseIsland(
  { islands, clock }: IslandsContext,
  userKey: number,
  id: string,
  { text, until }: NewPause,
): Promise<void> {
  const { island } = await findHostedIsland(islands, userKey, id)
  const nowMs = clock()
  const untilMs = until === null ? null : Date.parse(until)
  const problem = untilMs === null ? undefined : pauseEndProblem(untilMs, nowMs)
  if (problem !== undefined) throw invalid('until', problem)
  const fromMs = pauseAt(island.pause, nowMs)?.fromMs ?? nowMs
  await updateIsland(islands, userKey, id, { pause: { fromMs, untilMs, text } })
}

/** @throws DomainError `not_found` */
export async function continueIsland(
  { islands, clock }: IslandsContext,
  userKey: number,
  id: string,
): Promise<void> {
  const { island } = await findHostedIsland(islands, userKey, id)
  const nowMs = clock()
  const pause = pauseAt(island.pause, nowMs)
  if (pause === null) return
  await updateIsland(islands, userKey, id, { pause: { ...pause, untilMs: nowMs, text: '' } })
}

/** @throws DomainError `not_found`, `invalid_island`, `slug_taken`, `pages_in_review` */
export async function publishIsland(
  { islands, clock }: IslandsContext,
  userKey: number,
  id: string,
  {
    access,
    isListed,
    isShared,
    slug: wish,
  }: {
    readonly access: AccessPolicy
    readonly isListed: boolean
    readonly isShared?: boolean
    readonly slug?: string
  },
): Promise<void> {
  const slug = isPubliclyVisible({ access, isListed }) ? wish : undefined
  if (slug !== undefined) checkSlug(slug)
  await orRefuse(islands.publish(userKey, id, { access, isListed, isShared, slug, atMs: clock() }))
}

/** @throws DomainError `not_found`, `invalid_island`, `slug_taken` */
export async function renameSlug(
  { islands, clock }: IslandsContext,
  userKey: number,
  id: string,
  slug: string,
): Promise<void> {
  checkSlug(slug)
  const secret = secretSlug(slug)
  await orRefuse(islands.rename(userKey, id, { slug, secret, atMs: clock() }))
}

/** Why the user's islands can't have this slug; null if one can. */
export async function slugSentence(
  islands: Pick<IslandsStore, 'checkSlug'>,
  userKey: number,
  text: string,
): Promise<string | null> {
  const fault = slugFault(text)
  if (fault !== undefined) return fault
  const answer = await islands.checkSlug(userKey, text.trim().toLowerCase())
  return answer === 'free' ? null : sentences[answer]
}

async function orRefuse(taken: ReturnType<IslandsStore['publish']>): Promise<void> {
  const outcome = await taken.catch((error: unknown) => {
    if (error instanceof UniqueViolation) return 'taken' as const
    throw error
  })
  if (outcome === 'missing') throw new DomainError('not_found')
  if (outcome === 'in-review') throw new DomainError('pages_in_review')
  if (outcome === 'taken')
    throw new DomainError('slug_taken', { fields: { slug: sentences.taken } })
  if (outcome === 'limit_reached') {
    throw new DomainError('invalid_island', { fields: { slug: sentences.limit_reached } })
  }
}

async function updateIsland(
  islands: Pick<IslandsStore, 'update'>,
  userKey: number,
  id: string,
  update: IslandUpdate,
): Promise<void> {
  const key = await unlessGone(islands.update(userKey, id, update))
  if (key === undefined) throw new DomainError('not_found')
}

/** Makes a link, the relay and hosted pages replace each other. */
function withOneWay<Details extends Pick<IslandChanges, 'address' | 'isRelayed' | 'isHosted'>>(
  details: Details,
): Details {
  const { address, isRelayed, isHosted } = details
  const hasLink = address !== undefined && address !== null
  if ([hasLink, isRelayed === true, isHosted === true].filter(Boolean).length > 1) {
    throw invalid(
      'address',
      'An island has a link of its own, the relay or pages here: one of them.',
    )
  }
  if (isRelayed === true) return { ...details, address: null, isHosted: false }
  if (isHosted === true) return { ...details, address: null, isRelayed: false }
  return hasLink ? { ...details, isRelayed: false, isHosted: false } : details
}

/** @throws DomainError `invalid_island` */
function checkHosting({ hostsPages }: IslandsContext, isNew: boolean): void {
  if (isNew && !hostsPages) {
    throw invalid('isHosted', 'This server hosts no pages. Its operator can change that.')
  }
}

/** @param wish `isNew` says whether this change turns the relay on */
function checkRelay(
  { relayAddress }: IslandsContext,
  wish: {
    readonly isRelayed: boolean
    readonly isNew: boolean
    readonly carrierKey: number | null
  },
): void {
  if (!wish.isRelayed) return
  if (wish.isNew && relayAddress('') === null) {
    throw invalid('isRelayed', 'This server has no relay. Its operator can turn it on.')
  }
  if (wish.carrierKey === null) {
    throw invalid('carrier', 'Choose the device that the island runs on.')
  }
}

async function isSoAlready(
  islands: Pick<IslandsStore, 'listNeighbours'>,
  island: IslandRecord,
  { carrierKey, neighbourKeys, ...details }: IslandUpdate,
): Promise<boolean> {
  const isSame =
    isDeepStrictEqual({ ...island, ...details }, { ...island }) &&
    (carrierKey === undefined || carrierKey === (island.carrier?.key ?? null))
  if (!isSame || neighbourKeys === undefined) return isSame
  const neighbours = await islands.listNeighbours(island.hostKey, island.key)
  const keys = neighbours.map((found) => found.island.key)
  return isDeepStrictEqual(keys, neighbourKeys)
}

async function findCarrierKey<None extends null | undefined>(
  { findOwnDeviceKey }: IslandsContext,
  userKey: number,
  id: string | None,
): Promise<number | None> {
  if (typeof id !== 'string') return id
  const key = await findOwnDeviceKey(userKey, id)
  if (key === undefined) throw invalid('carrier', 'This is not one of your devices.')
  return key
}

/** A neighbour that the host may not see gets the same error as one that does not exist. */
async function findNeighbourKeys(
  islands: Pick<IslandsStore, 'findManyBySlug'>,
  userKey: number,
  id: string,
  slugs: readonly string[],
): Promise<readonly number[]> {
  const found = slugs.length === 0 ? [] : await islands.findManyBySlug(userKey, slugs)
  const bySlug = new Map(found.filter(isVisible).map(({ island }) => [island.slug, island]))
  return slugs.map((slug) => {
    const island = bySlug.get(slug)
    if (island === undefined) throw invalid('neighbours', `There is no island at “${slug}”.`)
    if (island.id === id) throw invalid('neighbours', 'An island can’t be its own neighbour.')
    return island.key
  })
}

function invalid(field: string, sentence: string): DomainError {
  return new DomainError('invalid_island', { fields: { [field]: sentence } })
}

/** Turns the failure of a write whose device or neighbour was just deleted into `invalid_island`. */
async function unlessGone<Result>(written: Promise<Result>): Promise<Result> {
  try {
    return await written
  } catch (error) {
    if (!(error instanceof ReferenceViolation)) throw error
    throw new DomainError('invalid_island', { cause: error })
  }
}
