import type { AccessPolicy } from '@astropelago/contract/islands'
import { DomainError } from '../../domain-error.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import { isPubliclyVisible } from './access-policy.ts'
import type { IslandsContext } from './islands-context.ts'
import type { IslandsStore } from './islands-store.ts'
import { checkSlug, secretSlug, slugFault } from './slugs.ts'

interface Publication {
  readonly access: AccessPolicy
  readonly isListed: boolean
  readonly slug?: string
}

const sentences = {
  taken: 'Another island has this address, or one that looks like it.',
  limit_reached: 'Your islands can’t use more new addresses. Use one of your old addresses again.',
} as const

/** @throws DomainError `not_found`, `invalid_island`, `slug_taken` */
export async function publishIsland(
  { islands, clock }: IslandsContext,
  userKey: number,
  id: string,
  { access, isListed, slug: wish }: Publication,
): Promise<void> {
  const slug = isPubliclyVisible({ access, isListed }) ? wish : undefined
  if (slug !== undefined) checkSlug(slug)
  await orRefuse(islands.publish(userKey, id, { access, isListed, slug, atMs: clock() }))
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
  if (outcome === 'taken')
    throw new DomainError('slug_taken', { fields: { slug: sentences.taken } })
  if (outcome === 'limit_reached') {
    throw new DomainError('invalid_island', { fields: { slug: sentences.limit_reached } })
  }
}
