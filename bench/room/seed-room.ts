import { randomUUID } from 'node:crypto'
import { hashToken } from '../../apps/server/src/secret-token.ts'
import { openStorage } from '../../apps/server/src/storage/storage.ts'

const slug = 'crowd'
export const roomHost = (port: number) => `${slug}.localhost:${port}`

/** What lets a visitor, numbered from 1, in to the island. */
export const visitCookie = (number: number) => `astropelago_visit=${tokenOf(number)}`

const tokenOf = (number: number) => `visitor-${number}`

/** Gives the first user of a database with a device an island, and visitors who said who they are. */
export async function seedRoom(
  where: { readonly dataDir: string; readonly databaseUrl?: string },
  visitors: number,
): Promise<void> {
  const storage = await openStorage({
    ...where,
    onFatal: (error) => {
      throw error
    },
  })
  const { db } = storage
  const nowMs = Date.now()
  const device = await db
    .selectFrom('devices')
    .select(['key', 'user_key'])
    .orderBy('key')
    .executeTakeFirstOrThrow()
  const { key: islandKey } = await db
    .insertInto('islands')
    .values({
      id: randomUUID(),
      user_key: device.user_key,
      slug,
      name: 'Crowd',
      kind: 'social',
      tagline: '',
      about: '',
      access: 'public',
      is_listed: 0,
      is_relayed: 1,
      carrier_key: device.key,
      created_ms: nowMs,
      published_ms: nowMs,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('island_slugs')
    .values({ slug, island_key: islandKey, user_key: device.user_key })
    .execute()
  for (let number = 1; number <= visitors; number += 1) {
    const username = `visitor-${number}`
    const { key } = await db
      .insertInto('users')
      .values({ username, username_folded: username, is_demo: 0, created_ms: nowMs })
      .returning('key')
      .executeTakeFirstOrThrow()
    const hash = hashToken(tokenOf(number))
    await db
      .insertInto('sessions')
      .values({
        id: randomUUID(),
        token_hash: hash,
        user_key: key,
        created_ms: nowMs,
        last_used_ms: nowMs,
      })
      .execute()
    await db
      .insertInto('relay_grants')
      .values({ grant_hash: hash, island_key: islandKey, session_hash: hash, started_ms: nowMs })
      .execute()
    await db
      .insertInto('relay_answers')
      .values({
        user_key: key,
        island_key: islandKey,
        visitor_id: username,
        shares_name: 1,
        answered_ms: nowMs,
      })
      .execute()
  }
  await storage.close()
}
