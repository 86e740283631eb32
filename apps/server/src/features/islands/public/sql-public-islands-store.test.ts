import { randomUUID } from 'node:crypto'
import { insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { publicIslandsStoreContract } from './public-islands-store.contract.ts'
import { sqlPublicIslandsStore } from './sql-public-islands-store.ts'

publicIslandsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const userKey = await insertUser(db)
  await db.updateTable('users').set({ username: 'nova' }).where('key', '=', userKey).execute()
  const insertDevice = async (isHidden: boolean) => {
    const { key } = await db
      .insertInto('devices')
      .values({
        id: randomUUID(),
        user_key: userKey,
        label: 'Pi',
        lat: 1,
        lon: 2,
        link: null,
        visibility: 'public',
        precision: 'exact',
        public_since_ms: 0,
        created_ms: 0,
        hidden_ms: isHidden ? 1 : null,
      })
      .returning('key')
      .executeTakeFirstOrThrow()
    return key
  }
  return {
    store: sqlPublicIslandsStore(storage),
    insertIsland: async ({
      address = 'https://bar.example/',
      isRelayed = false,
      hasCarrier = false,
      isCarrierHidden = false,
      neighbourKeys = [],
    } = {}) => {
      const carrierKey = hasCarrier ? await insertDevice(isCarrierHidden) : null
      const { key } = await db
        .insertInto('islands')
        .values({
          id: randomUUID(),
          user_key: userKey,
          slug: randomUUID().slice(0, 20),
          name: 'Harbor Bar',
          kind: 'social',
          tagline: '',
          about: '',
          access: 'public',
          is_listed: 1,
          address,
          is_relayed: Number(isRelayed),
          carrier_key: carrierKey,
          created_ms: 0,
          published_ms: 0,
        })
        .returning('key')
        .executeTakeFirstOrThrow()
      for (const [place, neighbour_key] of neighbourKeys.entries()) {
        await db
          .insertInto('island_routes')
          .values({ island_key: key, neighbour_key, place })
          .execute()
      }
      return { key, carrierKey }
    },
    nameHost: async (_, name) => {
      await db.updateTable('users').set({ name }).where('key', '=', userKey).execute()
    },
    noteFlip: async (device_key, status, at_ms) => {
      await db.insertInto('presence_events').values({ device_key, status, at_ms }).execute()
    },
  }
})
