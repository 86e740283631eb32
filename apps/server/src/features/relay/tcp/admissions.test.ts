import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../../test/factories.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { Admissions, networkOf } from './admissions.ts'
import { sqlAdmissionsStore } from './sql-admissions-store.ts'

const hourMs = 3_600_000

/** An island for its members, of whom everybody is one. */
async function setUp() {
  const { db } = await openTestStorage()
  const clock = movableClock()
  const { key: islandKey } = await insertIsland(db, { door: 'members' })
  const userKey = await insertUser(db)
  const admissions = new Admissions({
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
        mayAnybodyKnow: false,
        mayAnybodyEnter: false,
        isStopped: false,
        isHostTrusted: false,
        opening: { isOpen: true, sinceMs: null },
      }),
    },
    readRights: async () => () => ({ mayEnter: true }),
    clock: clock.now,
  })
  const rows = () => db.selectFrom('relay_addresses').selectAll().execute()
  return { admissions, clock, islandKey, userKey, rows }
}

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
])('R36 the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('R36 of IPv4 one address is let in, of IPv6 the /64 that its customer has', async () => {
  const { admissions, islandKey, userKey } = await setUp()
  const { network } = await admissions.letIn(islandKey, userKey, '2001:db8:1:2:aaaa::1')
  expect(network).toBe('2001:db8:1:2::/64')
  await admissions.letIn(islandKey, userKey, '::ffff:198.51.100.7')
  expect(await admissions.entrantsAt(islandKey, '2001:db8:1:2:bbbb::2')).toEqual([userKey])
  expect(await admissions.entrantsAt(islandKey, '2001:db8:1:3::1')).toBeUndefined()
  expect(await admissions.entrantsAt(islandKey, '198.51.100.7')).toEqual([userKey])
  expect(await admissions.entrantsAt(islandKey, '198.51.100.8')).toBeUndefined()
})

test('R37 addresses are kept as hashes, which two islands do not share, for 12 hours', async () => {
  const { admissions, clock, islandKey, userKey, rows } = await setUp()
  const ip = '198.51.100.7'
  await admissions.letIn(islandKey, userKey, ip)
  expect(JSON.stringify(await rows())).not.toContain(ip)
  expect(await admissions.entrantsAt(islandKey + 1, ip)).toBeUndefined()

  clock.move(12 * hourMs - 1)
  await admissions.forgetOld()
  expect(await rows()).toHaveLength(1)
  expect(await admissions.entrantsAt(islandKey, ip)).toEqual([userKey])
  clock.move(1)
  expect(await admissions.entrantsAt(islandKey, ip)).toBeUndefined()
  await admissions.forgetOld()
  expect(await rows()).toEqual([])
})
