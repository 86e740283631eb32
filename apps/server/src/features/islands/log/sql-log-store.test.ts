import { expect, test } from 'vitest'
import { newestPosition } from '../../../page-position.ts'
import { insertCheck, insertDevice, insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { mayEnter } from '../access-policy.ts'
import { sqlIslandsStore } from '../sql-islands-store.ts'
import { logStoreContract } from './log-store.contract.ts'
import { sqlLogStore } from './sql-log-store.ts'
import { sqlOpeningsStore } from './sql-openings-store.ts'

logStoreContract(async () => {
  const storage = await openTestStorage()
  const { db, longReads } = storage
  return {
    log: sqlLogStore(storage, longReads),
    openings: sqlOpeningsStore(storage),
    insertUser: () => insertUser(db),
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
    insertDevice: () => insertDevice(db),
    insertIsland: (details) => insertIsland(db, details),
    pauseIsland: async (key, { fromMs, untilMs }) => {
      const pause = { paused_ms: fromMs, paused_until_ms: untilMs }
      await db.updateTable('islands').set(pause).where('key', '=', key).execute()
    },
    insertRelayOpening: async (island_key, since_ms) => {
      await db.insertInto('relay_openings').values({ island_key, is_open: 1, since_ms }).execute()
    },
    insertChecked: async ({ islandKey, userKey, status, sinceMs }) => {
      const address = 'https://a.example/'
      await db.updateTable('islands').set({ address }).where('key', '=', islandKey).execute()
      const { key } = await insertCheck(db, { userKey, islandKey })
      await db
        .insertInto('check_states')
        .values({ check_key: key, status, since_ms: sinceMs, failures: 0 })
        .execute()
    },
    insertFlips: async (flips) => {
      for (const [device_key, status, at_ms] of flips) {
        await db.insertInto('presence_events').values({ device_key, status, at_ms }).execute()
      }
    },
  }
})

test('S52 reading public signals neither delays a write nor waits for one', async () => {
  const storage = await openTestStorage()
  const { kind, db, longReads } = storage
  // On PostgreSQL, both are the same.
  if (kind === 'postgres') return
  const log = sqlLogStore(storage, longReads)
  const write = Promise.withResolvers<void>()
  const writing = db.transaction().execute(() => write.promise)
  expect(await log.listPublicSignals({ nowMs: 0, limit: 1 })).toEqual([])
  write.resolve()
  await writing
})

test('S54 the database lets the same users read all logs as access-policy.ts lets enter', async () => {
  const storage = await openTestStorage()
  const { db, longReads } = storage
  const viewer = await insertUser(db)
  const turnedOff = await insertUser(db)
  await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', turnedOff).execute()
  const policies = ['public', 'members', 'invited'] as const
  const hosts = [viewer, await insertUser(db), turnedOff, null]
  // All combinations.
  const islands = Array.from({ length: policies.length * hosts.length * 16 }, (_, key) => {
    const [isMember, isBlocked, isHidden, isDraft] = [1, 2, 4, 8].map((bit) => (key & bit) > 0)
    const access = policies[Math.floor(key / 16) % policies.length] ?? 'public'
    const user_key = hosts[Math.floor(key / 16 / policies.length)] ?? null
    const times = {
      created_ms: 0,
      published_ms: isDraft ? null : 1,
      hidden_ms: isHidden ? 1 : null,
    }
    const name = `isle-${key}`
    const texts = { id: name, slug: name, name, kind: 'social', tagline: '', about: '' } as const
    return { isMember, isBlocked, row: { key, user_key, access, is_listed: 1, ...times, ...texts } }
  })
  const people = (which: 'isMember' | 'isBlocked') =>
    islands.flatMap(({ [which]: is, row }) =>
      is ? [{ island_key: row.key, user_key: viewer }] : [],
    )
  const members = people('isMember').map((person) => Object.assign(person, { joined_ms: 1 }))
  const blocks = people('isBlocked').map((person) => Object.assign(person, { at_ms: 1 }))
  const lines = islands.map(({ row: { key, id } }) => ({
    id,
    island_key: key,
    kind: 'opened' as const,
    at_ms: 1,
  }))
  await db
    .insertInto('islands')
    .values(islands.map(({ row }) => row))
    .execute()
  await db.insertInto('island_members').values(members).execute()
  await db.insertInto('island_blocks').values(blocks).execute()
  await db.insertInto('island_log').values(lines).execute()

  for (const readerKey of [viewer, null]) {
    const found = await sqlIslandsStore(storage).findManyByKey(
      readerKey,
      islands.map(({ row }) => row.key),
    )
    const allowed = found.filter((one) => mayEnter(one.island, one.viewer))
    const page = { readerKey, ownKeys: [], after: newestPosition, limit: 1000 }
    const read = await sqlLogStore(storage, longReads).readAll(page)
    const keysRead = new Set(read.map(({ islandKey }) => islandKey))
    expect(keysRead).toEqual(new Set(allowed.map(({ island }) => island.key)))
    expect(keysRead.size).toBeGreaterThan(5)
  }
})
