import { isDeepStrictEqual } from 'node:util'
import { slugsPerUser } from '@astropelago/contract/limits'
import { countDeleted, countRows } from '../../storage/count-rows.ts'
import { lockRows, lockTotal } from '../../storage/locks.ts'
import type { RowOf } from '../../storage/schema.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../storage/storage.ts'
import { isPubliclyVisible } from './access-policy.ts'
import type { IslandsStore, SlugRefusal } from './islands-store.ts'
import { isSecret, plainPart, skeletonOf, slugFault } from './slugs.ts'
import { newIslandRow, updateIslandRow } from './sql-island-rows.ts'

type OwnRow = Pick<
  RowOf<'islands'>,
  'key' | 'user_key' | 'slug' | 'access' | 'is_listed' | 'is_shared' | 'published_ms'
>

type Plan = (Partial<OwnRow> & { readonly slug: string }) | 'taken' | 'in-review'

/** Everything that changes slugs, one transaction at a time so that no two take look-alikes. */
export function sqlIslandSlugs({ db, changes }: RecordingStorage) {
  /** @param plan the columns to set, or why that is refused */
  const change = (
    userKey: number,
    id: string,
    atMs: number,
    plan: (island: OwnRow, transaction: DatabaseTransaction) => Promise<Plan>,
  ) =>
    changes.write(async (transaction, record): ReturnType<IslandsStore['publish']> => {
      await lockTotal(transaction, 'island_slugs')
      const island = await transaction
        .selectFrom('islands')
        .select(['key', 'user_key', 'slug', 'access', 'is_listed', 'is_shared', 'published_ms'])
        .where('id', '=', id)
        .where('user_key', '=', userKey)
        .executeTakeFirst()
      if (island === undefined) return 'missing'
      // Its pages may be replaced at the same time.
      await lockRows(transaction, 'islands', [island.key])
      const to = await plan(island, transaction)
      if (typeof to === 'string') return to
      const refusal = await takeSlug(transaction, island, to.slug, atMs)
      if (refusal !== undefined) return refusal
      // Write nothing, so that nobody is notified without reason.
      if (isDeepStrictEqual({ ...island, ...to }, { ...island })) return 'unchanged'
      await updateIslandRow({ transaction, record }, island.key, to)
      return 'changed'
    })

  return {
    publish: (userKey, id, { access, isListed, isShared, slug: wish, atMs }) =>
      change(userKey, id, atMs, async (island, transaction) => {
        if (isListed && (await hasPagesInReview(transaction, island.key))) return 'in-review'
        const isKnown = isPubliclyVisible({ access, isListed })
        const slug = isKnown ? (wish ?? plainPart(island.slug)) : island.slug
        // Truncating a long wish can leave a slug that is not allowed.
        if (slug !== island.slug && slugFault(slug) !== undefined) return 'taken'
        const published_ms = island.published_ms ?? atMs
        const is_shared = isShared === undefined ? island.is_shared : Number(isShared)
        return { slug, access, is_listed: isListed ? 1 : 0, is_shared, published_ms }
      }),

    rename: (userKey, id, { slug, secret, atMs }) =>
      change(userKey, id, atMs, async (island) => {
        const { access, is_listed } = island
        const isKnown = isPubliclyVisible({ access, isListed: is_listed === 1 })
        // Anybody could ask whether a plain slug is taken.
        return { slug: isSecret(island.slug) || !isKnown ? secret : slug }
      }),

    checkSlug: async (userKey, slug) =>
      (await refusalOf(db, { key: null, user_key: userKey }, slug)) ?? 'free',

    insertOfInstallation: async (island) => {
      const { slug, access } = island
      // At every start but the first, it is there, and nothing is written.
      if ((await countRows(db.selectFrom('island_slugs').where('slug', '=', slug))) > 0) return
      await changes.write(async (transaction, record) => {
        const taken = await transaction
          .insertInto('island_slugs')
          .values({ slug, skeleton: skeletonOf(slug), ...nobody, replaced_ms: null })
          .onConflict((conflict) => conflict.doNothing())
          .returning('slug')
          .executeTakeFirst()
        // Another server was first.
        if (taken === undefined) return
        const { key } = await transaction
          .insertInto('islands')
          .values({
            ...newIslandRow(island),
            user_key: null,
            access,
            is_listed: island.isListed ? 1 : 0,
            carrier_key: null,
            published_ms: island.createdMs,
          })
          .returning('key')
          .executeTakeFirstOrThrow()
        record('islands', [key])
        await transaction
          .updateTable('island_slugs')
          .set({ island_key: key })
          .where('slug', '=', slug)
          .execute()
      })
    },

    claimCertificate: (slug, { atMs, sinceMs, max }) =>
      db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('island_slugs')
          .select(['user_key', 'certified_ms'])
          .where('slug', '=', slug)
          .where('island_key', 'is not', null)
          .where('replaced_ms', 'is', null)
          .executeTakeFirst()
        if (found === undefined || found.user_key === null) return false
        if (found.certified_ms !== null) return true
        await lockRows(transaction, 'users', [found.user_key])
        const others = transaction
          .selectFrom('island_slugs')
          .where('user_key', '=', found.user_key)
          .where('slug', '<>', slug)
          .where('certified_ms', '>', sinceMs)
        if ((await countRows(others)) >= max) return false
        await transaction
          .updateTable('island_slugs')
          .set({ certified_ms: atMs })
          .where('slug', '=', slug)
          .execute()
        return true
      }),

    deleteOldSlugs: async (untilMs) => {
      return await countDeleted(
        db
          .deleteFrom('island_slugs')
          .where('skeleton', 'is', null)
          .where('replaced_ms', '<=', untilMs),
      )
    },
  } satisfies Partial<IslandsStore>
}

const nobody = { island_key: null, user_key: null }

/** Whether an operator has yet to look at what visitors would see. Nobody looks at a trusted host's pages. */
async function hasPagesInReview(
  transaction: DatabaseTransaction,
  islandKey: number,
): Promise<boolean> {
  const found = await transaction
    .selectFrom('page_deployments')
    .innerJoin('islands', 'islands.key', 'page_deployments.island_key')
    .innerJoin('users', 'users.key', 'islands.user_key')
    .select('page_deployments.key')
    .where('island_key', '=', islandKey)
    .where('is_live', '=', 1)
    .where('suspicion', 'is not', null)
    .where('passed_ms', 'is', null)
    .where('users.relay_trusted_ms', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Records `slug` as the island's, and that the old one leads to it. The caller sets the island's column. */
async function takeSlug(
  transaction: DatabaseTransaction,
  island: OwnRow,
  slug: string,
  atMs: number,
): Promise<SlugRefusal | undefined> {
  if (slug === island.slug) return undefined
  const refusal = await refusalOf(transaction, island, slug)
  if (refusal !== undefined) return refusal
  const own = { island_key: island.key, user_key: island.user_key }
  // Nobody was given the link of a draft.
  if (island.published_ms !== null) {
    const skeleton = isSecret(island.slug) ? null : skeletonOf(island.slug)
    await transaction
      .insertInto('island_slugs')
      .values({ ...own, slug: island.slug, skeleton, replaced_ms: atMs })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet({ replaced_ms: atMs }))
      .execute()
  }
  if (!isSecret(slug)) {
    await transaction
      .insertInto('island_slugs')
      .values({ ...own, slug, skeleton: skeletonOf(slug), replaced_ms: null })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet({ ...own, replaced_ms: null }))
      .execute()
  }
  return undefined
}

/** Considers only slugs that are or were plain, so it reveals nothing about islands that are not public. */
async function refusalOf(
  db: Database,
  island: { readonly key: number | null; readonly user_key: number | null },
  slug: string,
): Promise<SlugRefusal | undefined> {
  const alike = isSecret(slug)
    ? []
    : await db
        .selectFrom('island_slugs')
        .select(['slug', 'island_key', 'user_key', 'replaced_ms'])
        .where('skeleton', '=', skeletonOf(slug))
        .execute()
  for (const row of alike) {
    const isThisIslands = island.key !== null && row.island_key === island.key
    const isOwn = isThisIslands || (row.user_key !== null && row.user_key === island.user_key)
    // Another island of the same host has it now.
    const isInUse = row.slug === slug && row.island_key !== null && row.replaced_ms === null
    if (!isOwn || (isInUse && !isThisIslands)) return 'taken'
  }
  if (alike.some((row) => row.slug === slug)) return undefined
  const own = db.selectFrom('island_slugs').where('user_key', '=', island.user_key)
  return (await countRows(own)) >= slugsPerUser ? 'limit_reached' : undefined
}
