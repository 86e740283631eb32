import { coarsePlace } from '@astropelago/contract/place'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { registerTestDevice } from '../../../test/api-devices.ts'
import { makeTestIsland } from '../../../test/api-islands.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { inTime } from '../../../test/in-time.ts'
import { propertyRuns } from '../../../test/property-runs.ts'
import { sqlDevicesStore } from '../../devices/sql-devices-store.ts'
import { sqlOperatorIslandsStore } from '../../islands/operator/sql-operator-islands-store.ts'
import { testFollower } from './testing/test-follower.ts'

/** Each carries an island. */
const devices = 3
const at = fc.nat({ max: devices - 1 })
const hidden = fc.constantFrom({ atMs: 1, reason: 'x' }, null)

/** What owners, operators and the network do. */
const step = fc.oneof(
  fc.record({
    act: fc.constant('device' as const),
    at,
    changes: fc.oneof(
      fc.record({ isShared: fc.boolean() }),
      fc.record({ visibility: fc.constantFrom('public', 'private') }),
      fc.record({ precision: fc.constantFrom('exact', 'km1', 'km10') }),
      fc.record({ label: fc.constantFrom('Pi', 'Roof') }),
      fc.record({ isShared: fc.boolean(), precision: fc.constantFrom('exact', 'km10') }),
    ),
  }),
  fc.record({
    act: fc.constant('publish' as const),
    at,
    to: fc.record({
      access: fc.constantFrom('public', 'invited'),
      isListed: fc.boolean(),
      isShared: fc.boolean(),
    }),
  }),
  fc.record({
    act: fc.constant('island' as const),
    at,
    changes: fc.oneof(
      fc.record({ isShared: fc.boolean() }),
      fc.record({ tagline: fc.constantFrom('', 'A bar') }),
      fc.record({ carrier: fc.option(at) }),
    ),
  }),
  fc.record({ act: fc.constant('hide-device' as const), at, hidden }),
  fc.record({ act: fc.constant('hide-island' as const), at, hidden }),
  fc.constantFrom({ act: 'cut' } as const, { act: 'connect' } as const, { act: 'wait' } as const),
)

test('[F4] S74 a follower holds what is shared and nothing else, whatever owners and operators do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const testApp = await createTestApp({ config: {} })
      const { storage } = testApp
      const owner = await testApp.signUp()
      const follower = await testFollower(testApp)
      const ownDevices: string[] = []
      const ownIslands: string[] = []
      const place = { lat: 52.5212, lon: 13.4264 }
      for (let i = 0; i < devices; i += 1) {
        ownDevices.push((await registerTestDevice(owner, { ...place, isShared: true })).id)
      }
      for (const carrier of ownDevices) {
        const { id } = await makeTestIsland(owner, { carrier })
        const payload = { access: 'public', isListed: true, isShared: true }
        await owner.inject({ method: 'POST', url: `/api/islands/${id}/publish`, payload })
        ownIslands.push(id)
      }
      await follower.connect()
      const ever = new Set<string>()
      const see = async () => {
        for (const one of await expected()) ever.add(JSON.stringify(one))
      }
      await see()

      for (const one of steps) {
        if (one.act === 'wait') await new Promise((done) => setTimeout(done, 100))
        else if (one.act === 'cut') follower.close()
        else if (one.act === 'connect') {
          if (follower.isOver()) await follower.connect()
        } else if (one.act === 'hide-device') {
          await sqlDevicesStore(storage).setHidden(ownDevices[one.at] ?? '', one.hidden)
        } else if (one.act === 'hide-island') {
          await sqlOperatorIslandsStore(storage).setHidden(ownIslands[one.at] ?? '', one.hidden)
        } else if (one.act === 'publish') {
          const url = `/api/islands/${ownIslands[one.at]}/publish`
          await owner.inject({ method: 'POST', url, payload: one.to })
        } else if (one.act === 'device') {
          const url = `/api/devices/${ownDevices[one.at]}`
          await owner.inject({ method: 'PATCH', url, payload: one.changes })
        } else {
          const { changes } = one
          const carrier =
            'carrier' in changes
              ? { carrier: changes.carrier === null ? null : ownDevices[changes.carrier] }
              : {}
          const url = `/api/islands/${ownIslands[one.at]}`
          await owner.inject({ method: 'PATCH', url, payload: { ...changes, ...carrier } })
        }
        await see()
      }

      if (follower.isOver()) await follower.connect()
      const model = await expected()
      const held = () => follower.held().map(({ payload }) => payload)
      await vi.waitFor(() => {
        expect(follower.isWhole()).toBe(true)
        expect(held()).toEqual(model)
      }, inTime)
      const told = follower.received.flatMap(({ entries }) => entries)
      const given = told.filter(({ type }) => type === 'device' || type === 'island')
      expect(given.filter(({ payload }) => !ever.has(JSON.stringify(payload)))).toEqual([])
      follower.close()

      /** Plainly from what is stored. */
      async function expected() {
        const rows = await storage.db.selectFrom('devices').selectAll().execute()
        const shown = rows.filter(
          (row) => row.visibility === 'public' && row.hidden_ms === null && row.is_shared === 1,
        )
        const isles = await storage.db.selectFrom('islands').selectAll().execute()
        const listed = isles.filter(
          (row) =>
            row.user_key !== null &&
            row.published_ms !== null &&
            row.is_listed === 1 &&
            row.hidden_ms === null &&
            row.is_shared === 1,
        )
        return [
          ...shown.map(({ id, label, precision, ...row }) => ({
            id,
            label,
            ...coarsePlace(row, precision),
            status: 'unknown',
          })),
          ...listed.map(({ id, slug, name, kind, picture, tagline, access, ...row }) => {
            const carrier = shown.find(({ key }) => key === row.carrier_key)
            const deviceId = carrier?.id ?? null
            return { id, slug, name, kind, picture, tagline, access, isOpen: isOpen(row), deviceId }
          }),
        ].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      }
    }),
    { numRuns: propertyRuns(2), endOnFailure: true },
  )
})

/** Its link counts as open unless a device carries it, which never reported. */
function isOpen({ carrier_key }: { readonly carrier_key: number | null }): boolean {
  return carrier_key === null
}
