import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../../test/factories.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import type { ServedIsland } from '../served-islands.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import { createAdmissions } from './admissions.ts'
import { sqlAdmissionsStore } from './sql-admissions-store.ts'

const hourMs = 3_600_000

/** An island for members. Every user is one unless `shutOut` or the options say otherwise. */
async function setUp({ mayAnybodyEnter = false, mayEnter = true } = {}) {
  const shutOut = new Set<number>()
  const { db } = await openTestStorage()
  const clock = movableClock()
  const { key: islandKey } = await insertIsland(db, { access: 'members' })
  const userKey = await insertUser(db)
  const says: {
    pause: ServedIsland['pause']
    isStopped: boolean
    entersPaused: boolean
  } = {
    pause: null,
    isStopped: false,
    entersPaused: false,
  }
  const admissions = createAdmissions({
    store: sqlAdmissionsStore(db),
    islands: {
      find: (key) => ({
        key,
        id: 'bar',
        hostKey: null,
        hostName: null,
        slug: 'bar',
        name: 'Bar',
        carrierKey: 1,
        isRelayed: true,
        isHosted: false,
        pages: null,
        mayAnybodyKnow: false,
        isShown: true,
        isInDirectory: false,
        mayAnybodyEnter,
        isStopped: says.isStopped,
        isHostTrusted: false,
        hasRules: false,
        domain: null,
        pause: says.pause,
        opening: { isOpen: true, sinceMs: null, pause: null, isWatched: true },
      }),
    },
    readRights: async () => (key) => ({
      mayEnter: mayEnter && (key === null || !shutOut.has(key)),
      entersPaused: says.entersPaused,
    }),
    clock: clock.now,
  })
  const rows = () => db.selectFrom('relay_addresses').selectAll().execute()
  const insertOther = async () => (await insertIsland(db, { access: 'members' })).key
  const addUser = () => insertUser(db)
  return { admissions, clock, islandKey, insertOther, userKey, addUser, shutOut, rows, says }
}

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
])('R36 the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('R36 an IPv4 admission covers one address, an IPv6 one the customer’s /64', async () => {
  const { admissions, islandKey, userKey } = await setUp()
  const { network } = await admissions.letIn(islandKey, userKey, '2001:db8:1:2:aaaa::1')
  expect(network).toBe('2001:db8:1:2::/64')
  await admissions.letIn(islandKey, userKey, '::ffff:198.51.100.7')
  expect(await admissions.entrantsAt(islandKey, '2001:db8:1:2:bbbb::2')).toEqual([userKey])
  expect(await admissions.entrantsAt(islandKey, '2001:db8:1:3::1')).toBeUndefined()
  expect(await admissions.entrantsAt(islandKey, '198.51.100.7')).toEqual([userKey])
  expect(await admissions.entrantsAt(islandKey, '198.51.100.8')).toBeUndefined()
})

test('R36 everybody is let in to a public island, and a user who may not enter lets no network in', async () => {
  const open = await setUp({ mayAnybodyEnter: true })
  expect(await open.admissions.entrantsAt(open.islandKey, '198.51.100.7')).toBe('everybody')
  const closed = await setUp({ mayEnter: false })
  await closed.admissions.letIn(closed.islandKey, closed.userKey, '198.51.100.7')
  expect(await closed.admissions.entrantsAt(closed.islandKey, '198.51.100.7')).toBeUndefined()
})

test('nobody is let in to an island that an operator stopped', async () => {
  const ip = '198.51.100.7'
  for (const mayAnybodyEnter of [true, false]) {
    const { admissions, islandKey, userKey, says } = await setUp({ mayAnybodyEnter })
    await admissions.letIn(islandKey, userKey, ip)
    says.isStopped = true
    expect(await admissions.entrantsAt(islandKey, ip)).toBeUndefined()
    expect(await admissions.stillEntrants(islandKey, ip, [userKey])).toBeUndefined()
  }
})

test('R38 a connection keeps the user who let it in, even if others open the island from its network', async () => {
  const { admissions, clock, islandKey, userKey, addUser, shutOut } = await setUp()
  const ip = '198.51.100.7'
  await admissions.letIn(islandKey, userKey, ip)
  const entrants = (await admissions.entrantsAt(islandKey, ip)) ?? []
  expect(entrants).toEqual([userKey])
  clock.move(12 * hourMs)
  await admissions.letIn(islandKey, await addUser(), ip)
  expect(await admissions.stillEntrants(islandKey, ip, entrants)).toEqual([userKey])
  shutOut.add(userKey)
  expect(await admissions.stillEntrants(islandKey, ip, entrants)).toBeUndefined()
})

test('R56 while an island is paused only networks of its host and operators are let in and stay', async () => {
  const { admissions, islandKey, userKey, says } = await setUp()
  const ip = '198.51.100.7'
  await admissions.letIn(islandKey, userKey, ip)
  says.pause = { text: '', fromMs: 0, untilMs: null }
  expect(await admissions.entrantsAt(islandKey, ip)).toBeUndefined()
  expect(await admissions.stillEntrants(islandKey, ip, [userKey])).toBeUndefined()
  says.entersPaused = true
  expect(await admissions.entrantsAt(islandKey, ip)).toEqual([userKey])
  expect(await admissions.stillEntrants(islandKey, ip, [userKey])).toEqual([userKey])
})

test('R37 addresses are kept for 12 hours, as hashes that differ between islands', async () => {
  const { admissions, clock, islandKey, insertOther, userKey, rows } = await setUp()
  const ip = '198.51.100.7'
  await admissions.letIn(islandKey, userKey, ip)
  await admissions.letIn(await insertOther(), userKey, ip)
  const hashes = (await rows()).map(({ address_hash }) => Buffer.from(address_hash).toString('hex'))
  expect(new Set(hashes).size).toBe(2)
  expect(hashes).not.toContain(createHash('sha256').update(ip).digest('hex'))
  for (const hash of hashes) {
    expect(hash).toHaveLength(64)
    expect(hash).not.toContain(Buffer.from(ip).toString('hex'))
  }

  clock.move(12 * hourMs - 1)
  await admissions.deleteExpired()
  expect(await rows()).toHaveLength(2)
  expect(await admissions.entrantsAt(islandKey, ip)).toEqual([userKey])
  clock.move(1)
  expect(await admissions.entrantsAt(islandKey, ip)).toBeUndefined()
  await admissions.deleteExpired()
  expect(await rows()).toEqual([])
})

test('R37 ten networks of a user are kept for an island', async () => {
  const { admissions, islandKey, userKey, rows } = await setUp()
  for (let at = 0; at < 12; at += 1) await admissions.letIn(islandKey, userKey, `198.51.100.${at}`)
  expect(await rows()).toHaveLength(10)
})
