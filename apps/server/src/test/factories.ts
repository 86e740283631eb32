import { randomUUID } from 'node:crypto'
import type { Database } from '../storage/storage.ts'

/** Password of every user that a test signs up. */
export const testPassword = 'correct horse battery'

let made = 0

/** Inserts a user and returns its key. */
export async function insertUser(db: Database): Promise<number> {
  made += 1
  const username = `user-${made}`
  const { key } = await db
    .insertInto('users')
    .values({
      username,
      username_folded: username,
      password_hash: null,
      name: null,
      avatar: null,
      is_demo: 0,
      created_ms: 0,
      expires_ms: null,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return key
}

/** Inserts a public device and returns its key. Makes a user for it if none is given. */
export async function insertDevice(db: Database, userKey?: number): Promise<number> {
  const { key } = await db
    .insertInto('devices')
    .values({
      id: randomUUID(),
      user_key: userKey ?? (await insertUser(db)),
      label: 'Pi',
      lat: 0,
      lon: 0,
      link: null,
      visibility: 'public',
      public_since_ms: 0,
      created_ms: 0,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return key
}

interface IslandDetails {
  readonly access?: 'public' | 'members' | 'invited'
  readonly isListed?: boolean
  /** Without it, a host is made. */
  readonly hostKey?: number
  readonly carrierKey?: number
}

/** Inserts a published island. */
export async function insertIsland(
  db: Database,
  { access = 'public', isListed = false, hostKey, carrierKey }: IslandDetails = {},
): Promise<{ readonly key: number; readonly id: string; readonly hostKey: number }> {
  const id = randomUUID()
  const host = hostKey ?? (await insertUser(db))
  const { key } = await db
    .insertInto('islands')
    .values({
      id,
      user_key: host,
      slug: `isle-${id}`,
      name: 'Harbor Bar',
      kind: 'social',
      tagline: '',
      about: '',
      access,
      is_listed: Number(isListed),
      address: null,
      carrier_key: carrierKey ?? null,
      created_ms: 0,
      published_ms: 0,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return { key, id, hostKey: host }
}

/** Inserts a private check that scripts report to. */
export async function insertCheck(
  db: Database,
  { userKey, islandKey = null }: { readonly userKey: number; readonly islandKey?: number | null },
): Promise<{ readonly key: number; readonly id: string }> {
  const id = randomUUID()
  const { key } = await db
    .insertInto('checks')
    .values({
      id,
      user_key: userKey,
      name: 'Backup',
      target: JSON.stringify({ kind: 'push', periodS: 60, graceS: 60 }),
      is_public: 0,
      is_paused: 0,
      island_key: islandKey,
      created_ms: 0,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return { key, id }
}
