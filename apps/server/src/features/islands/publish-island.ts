import type { AccessPolicy } from '@astropelago/contract/islands'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { ChangedIsland, IslandsStore, SlugRefusal } from './islands-store.ts'
import { isPubliclyVisible } from './access-policy.ts'
import { secretSlug, slugFault } from './slugs.ts'

interface SlugDeps<Method extends keyof IslandsStore> {
  readonly store: Pick<IslandsStore, Method>
  readonly clock: Clock
}

interface Publication {
  readonly access: AccessPolicy
  readonly isListed: boolean
  readonly slug?: string
}

const sentences = {
  taken: 'Another island has this address, or one that looks like it.',
  limit_reached: 'Your islands can’t use more new addresses. Use one of your old addresses again.',
} as const

/**
 * Publishes an island with the access policy that its host chose.
 * @returns its key, and whether anything changed
 * @throws DomainError `not_found`, `invalid_island`, `slug_taken`
 */
export async function publishIsland(
  { store, clock }: SlugDeps<'publish'>,
  userKey: number,
  id: string,
  { access, isListed, slug }: Publication,
): Promise<ChangedIsland> {
  const asked = isPubliclyVisible({ access, isListed }) ? slug : undefined
  if (asked !== undefined) refuseFaulty(asked)
  return await taking(store.publish(userKey, id, { access, isListed, slug: asked, atMs: clock() }))
}

/**
 * @returns its key, and whether its slug changed
 * @throws DomainError `not_found`, `invalid_island`, `slug_taken`
 */
export async function renameSlug(
  { store, clock }: SlugDeps<'rename'>,
  userKey: number,
  id: string,
  slug: string,
): Promise<ChangedIsland> {
  refuseFaulty(slug)
  const secret = secretSlug(slug)
  return await taking(store.rename(userKey, id, { slug, secret, atMs: clock() }))
}

/** Why the user's islands can't have this slug; null if one can. */
export async function slugSentence(
  { store }: Pick<SlugDeps<'checkSlug'>, 'store'>,
  userKey: number,
  text: string,
): Promise<string | null> {
  const fault = slugFault(text)
  if (fault !== undefined) return fault
  const answer = await store.checkSlug(userKey, text.trim().toLowerCase())
  return answer === 'free' ? null : sentences[answer]
}

function refuseFaulty(slug: string): void {
  const fault = slugFault(slug)
  if (fault !== undefined) throw new DomainError('invalid_island', { fields: { slug: fault } })
}

async function taking(taken: Promise<ChangedIsland | SlugRefusal>): Promise<ChangedIsland> {
  const outcome = await taken.catch((error: unknown) => {
    if (error instanceof UniqueViolation) return 'taken' as const
    throw error
  })
  switch (outcome) {
    case 'missing':
      throw new DomainError('not_found')
    case 'taken':
      throw new DomainError('slug_taken', { fields: { slug: sentences.taken } })
    case 'limit_reached':
      throw new DomainError('invalid_island', { fields: { slug: sentences.limit_reached } })
    default:
      return outcome
  }
}
