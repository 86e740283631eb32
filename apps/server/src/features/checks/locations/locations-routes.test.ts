import { CheckArcs, CheckProof, OwnLocation } from '@astropelago/contract/check-locations'
import { CheckHistory, OwnCheck } from '@astropelago/contract/checks'
import { sql } from 'kysely'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { registerTestDevice, createTestToken } from '../../../test/api-devices.ts'
import { publishTestIsland } from '../../../test/api-islands.ts'
import { createTestApp, type TestBrowser } from '../../../test/create-test-app.ts'
import { createOperatorApp } from '../../../test/operator-app.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { locationsCommands } from './locations-commands.ts'
import { doubtMaxMs } from './quorum.ts'

async function makeCheck(user: TestBrowser) {
  const answer = await user.inject({
    method: 'POST',
    url: '/api/me/checks',
    payload: { name: 'Harbor', target: { kind: 'tcp', host: 'harbor.example', port: 8443 } },
  })
  return v.parse(OwnCheck, answer.json())
}

async function listLocations(user: TestBrowser) {
  const answer = await user.inject({ url: '/api/me/check-locations' })
  return v.parse(v.array(OwnLocation), answer.json())
}

test('S71 a device lends after its owner’s consent alone, and one press ends it', async () => {
  const { app, signUp, clock } = await createTestApp({})
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const [owner, stranger] = [await signUp(), await signUp()]
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id, undefined, 'relay')
  await connectAgent(url, token, { headers: { 'astropelago-agent-lends': '30' } })
  expect(await listLocations(owner)).toEqual([])
  const set = (user: TestBrowser, payload: object) =>
    user.inject({ method: 'PUT', url: `/api/me/check-locations/${id}`, payload })
  expect((await set(stranger, { isLending: true })).statusCode).toBe(404)
  expect((await set(owner, { isLending: true, region: ' Oslo ' })).statusCode).toBe(204)
  const consentedAt = new Date(clock.now()).toISOString()
  const lending = { device: id, isLending: true, region: 'Oslo', perHour: 30, checked: [] }
  expect(await listLocations(owner)).toEqual([{ ...lending, consentedAt }])
  expect(await listLocations(stranger)).toEqual([])
  await set(owner, { isLending: false, region: 'Oslo' })
  expect(await listLocations(owner)).toMatchObject([{ isLending: false }])
})

test('S71 a proof names the host and the port, and only the owner of the check sees it', async () => {
  const { signUp } = await createTestApp()
  const [owner, stranger] = [await signUp(), await signUp()]
  const { id } = await makeCheck(owner)
  const url = `/api/me/checks/${id}/proof`
  expect((await stranger.inject({ url })).statusCode).toBe(404)
  expect((await stranger.inject({ method: 'POST', url })).statusCode).toBe(404)
  const proof = v.parse(CheckProof, (await owner.inject({ url })).json())
  expect(proof).toMatchObject({ place: 'harbor.example:8443', provenAt: null, endsAt: null })
  expect(proof.text).toMatch(/^harbor\.example:8443 [\da-f]{32}$/)
  // Nobody answers at that name.
  const asked = v.parse(CheckProof, (await owner.inject({ method: 'POST', url })).json())
  expect(asked).toMatchObject({ text: proof.text, provenAt: null })
  expect(asked.askedAt).not.toBeNull()
})

test('S71 what locations found is shown by the id and the region that their owners chose', async () => {
  const { signUp, storage, clock } = await createTestApp()
  const [owner, lender] = [await signUp(), await signUp()]
  const check = await makeCheck(owner)
  const { id: deviceId } = await registerTestDevice(lender)
  const lend = { method: 'PUT', url: `/api/me/check-locations/${deviceId}` } as const
  await lender.inject({ ...lend, payload: { isLending: true, region: 'Oslo' } })
  const { db } = storage
  const [{ key: checkKey }, { key: deviceKey }] = await Promise.all([
    db.selectFrom('checks').select('key').where('id', '=', check.id).executeTakeFirstOrThrow(),
    db.selectFrom('devices').select('key').where('id', '=', deviceId).executeTakeFirstOrThrow(),
  ])
  const add = async (minutesAgo: number, tookMs: number | null, locationKey = deviceKey) => {
    const atMs = clock.now() - minutesAgo * 60_000
    const sample = { check_key: checkKey, location_key: locationKey, at_ms: atMs, took_ms: tookMs }
    await db.insertInto('check_samples').values(sample).execute()
  }
  await add(3, 40)
  await add(2, null)
  await add(2, 4, 0)
  const read = async () => {
    const answer = await owner.inject({ url: `/api/checks/${check.id}/history` })
    return v.parse(CheckHistory, answer.json())
  }
  const first = await read()
  expect(first.samples.map(({ tookMs }) => tookMs)).toEqual([4])
  expect(first.locations).toMatchObject([{ name: 'Oslo', status: 'up' }])
  expect(first.locations?.[0]?.samples.map(({ tookMs }) => tookMs)).toEqual([40, null])
  expect(JSON.stringify(first)).not.toContain(deviceId)
  await add(1, null)
  clock.move(5000)
  expect((await read()).locations).toMatchObject([{ name: 'Oslo', status: 'down' }])
  clock.move(10 * 60_000)
  expect((await read()).locations).toMatchObject([{ status: 'unobserved' }])
  expect(await listLocations(lender)).toMatchObject([
    { checked: [{ place: 'harbor.example:8443', count: 3 }] },
  ])
})

test('operators see who disagrees with all others, and whose votes have ended', async () => {
  const { operator, signUp, storage, clock } = await createOperatorApp()
  const [owner, lender] = [await signUp(), await signUp()]
  const check = await makeCheck(owner)
  const devices = [await registerTestDevice(lender), await registerTestDevice(lender)]
  const { db } = storage
  const { key } = await db
    .selectFrom('checks')
    .select('key')
    .where('id', '=', check.id)
    .executeTakeFirstOrThrow()
  const sinceMs = [clock.now() - doubtMaxMs, clock.now() - doubtMaxMs + 1]
  for (const [at, { id }] of devices.entries()) {
    const device = db.selectFrom('devices').select('key').where('id', '=', id)
    const { key: deviceKey } = await device.executeTakeFirstOrThrow()
    const doubt = { check_key: key, device_key: deviceKey, since_ms: sinceMs[at] ?? 0 }
    await db.insertInto('check_doubts').values(doubt).execute()
  }
  const url = '/api/operator/check-doubts'
  expect((await operator.inject({ url })).json()).toEqual(
    devices.map(({ id }, at) => ({
      lender: lender.username,
      owner: owner.username,
      check: check.id,
      device: id,
      since: new Date(sinceMs[at] ?? 0).toISOString(),
      hasVote: at === 1,
    })),
  )
  expect((await owner.inject({ url })).statusCode).toBe(404)
  const [command] = locationsCommands
  const call = async () => (await operator.inject({ url })).json()
  const printed = await command?.run({ input: {}, call, isConfirmed: false })
  expect(printed?.text).toMatch(/LENT BY .* VOTE\n.* ended\n.* counts$/)
})

const change = (browser: TestBrowser, url: string, payload: object) =>
  browser.inject({ method: 'PATCH', url, payload })

const lend = (browser: TestBrowser, id: string, isLending: boolean) =>
  browser.inject({
    method: 'PUT',
    url: `/api/me/check-locations/${id}`,
    payload: { isLending, region: 'Oslo' },
  })

test('S71 arcs come only from public devices that still lend, for checks that the reader may see', async () => {
  const { signUp, storage, clock, inject } = await createTestApp()
  const [owner, lender, other] = [await signUp(), await signUp(), await signUp()]
  const carrier = await registerTestDevice(owner, { precision: 'km10', lat: 50.123 })
  const island = await publishTestIsland(
    owner,
    { access: 'public', isListed: true },
    { carrier: carrier.id },
  )
  const check = await makeCheck(owner)
  await change(owner, `/api/me/checks/${check.id}`, { island: island.id })
  const shown = await registerTestDevice(lender, { precision: 'km10', lat: 10.123 })
  const secret = await registerTestDevice(other, { visibility: 'private' })
  await lend(lender, shown.id, true)
  await lend(other, secret.id, true)
  const { db } = storage
  await sql`
    insert into check_samples (check_key, location_key, at_ms, took_ms)
    select checks.key, devices.key, ${clock.now() - 60_000}, 40 from checks, devices
    where checks.id = ${check.id} and devices.id in (${shown.id}, ${secret.id}, ${carrier.id})`.execute(
    db,
  )
  const read = async (path: string, browser: Pick<TestBrowser, 'inject'> = { inject }) =>
    v.parse(CheckArcs, (await browser.inject({ url: `/api/check-arcs/${path}` })).json())
  const ends = async (path: string, browser?: TestBrowser) => {
    const { target, locations } = await read(path, browser)
    return [target?.id, ...locations.map(({ id }) => id)]
  }
  const all = [`checks/${check.id}`, `islands/${island.id}`, `devices/${carrier.id}`]
  // The check is private.
  for (const path of all) expect(await ends(path)).toEqual([undefined])
  for (const path of all) expect(await ends(path, owner)).toEqual([carrier.id, shown.id])
  await change(owner, `/api/me/checks/${check.id}`, { visibility: 'public' })
  // Nobody has looked since it became public.
  expect(await ends(all[0] ?? '')).toEqual([undefined])
  clock.move(1000)
  await sql`
    update check_samples set at_ms = ${clock.now()}
    where check_key in (select key from checks where id = ${check.id})`.execute(db)
  for (const path of all) expect(await ends(path)).toEqual([carrier.id, shown.id])
  const { target, locations } = await read(all[0] ?? '')
  expect([target?.lat, locations[0]?.lat]).toEqual([50.15, 10.15])
  await change(owner, `/api/devices/${carrier.id}`, { visibility: 'private' })
  for (const path of all.slice(0, 2)) expect(await ends(path)).toEqual([undefined, shown.id])
  expect(await ends(`devices/${carrier.id}`)).toEqual([undefined])
  expect(await ends(`devices/${carrier.id}`, owner)).toEqual([undefined, shown.id])
  await lend(lender, shown.id, false)
  for (const path of all) expect(await ends(path, owner)).toEqual([undefined])
})
