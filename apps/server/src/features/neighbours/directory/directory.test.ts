import {
  AboutInstallation,
  directoryPath,
  readInstallation,
  SignedStatement,
  type DirectoryEntry,
} from '@astropelago/contract/neighbour-directory'
import { describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../../test/api-devices.ts'
import { makeTestIsland } from '../../../test/api-islands.ts'
import { createTestApp, type TestAppOptions } from '../../../test/create-test-app.ts'
import { inTime, soon } from '../../../test/in-time.ts'
import { isOnPostgres, openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlDevicesStore } from '../../devices/sql-devices-store.ts'
import { importKey, readStatement } from '../statements.ts'
import { testFollower } from './testing/test-follower.ts'

async function setUp(options: TestAppOptions = { config: {} }) {
  const testApp = await createTestApp(options)
  const owner = await testApp.signUp()
  const follower = await testFollower(testApp)
  const change = (path: string, payload: object) =>
    owner.inject({ method: 'PATCH', url: `/api/${path}`, payload })
  const publish = (id: string, payload: object) =>
    owner.inject({ method: 'POST', url: `/api/islands/${id}/publish`, payload })
  return { ...testApp, owner, follower, change, publish }
}

const openly = { access: 'public', isListed: true } as const

function payloads(entries: readonly DirectoryEntry[]) {
  return entries.map(({ payload }) => payload)
}

test('[F1] an installation says and signs who it is', async () => {
  const { inject, owner } = await setUp({ config: { siteName: 'Harbor Sky' } })
  await registerTestDevice(owner, { isShared: true })
  await registerTestDevice(owner)
  const answer = await inject({ url: readInstallation.path })
  expect(answer.headers['cache-control']).toBe('public, max-age=5')
  const statement = v.parse(SignedStatement, answer.json())
  const about = v.parse(AboutInstallation, JSON.parse(statement.body))
  expect(about).toMatchObject({ name: 'Harbor Sky', keyNumber: 1, keyChanges: [] })
  expect(readStatement(statement, importKey(about.key))).toMatchObject({ kind: 'about' })
})

describe('[F3] a follower', () => {
  test('gets an empty page of an installation that shares nothing', async () => {
    const { owner, follower } = await setUp()
    await registerTestDevice(owner)
    expect(await follower.connect()).toBe(200)
    await vi.waitFor(() => expect(follower.last()?.kind).toBe('alive'), soon)
    expect(follower.received[0]).toMatchObject({
      head: { kind: 'page', page: { index: 0, total: 1 } },
      entries: [],
    })
  })

  test('gets what is shared, then each change of it, in order', async () => {
    const { inject, owner, follower, change, publish } = await setUp()
    const device = await registerTestDevice(owner, {
      isShared: true,
      precision: 'km10',
      link: 'https://own.example/',
      lat: 52.5212,
      lon: 13.4264,
    })
    const { token } = await createTestToken(owner, device.id)
    await follower.connect()
    const seen = { id: device.id, label: 'Pi', lat: 52.55, lon: 13.49 }
    await vi.waitFor(
      () => expect(payloads(follower.held())).toEqual([{ ...seen, status: 'unknown' }]),
      soon,
    )
    await sendHeartbeat({ inject }, token)
    await vi.waitFor(
      () => expect(payloads(follower.held())).toEqual([{ ...seen, status: 'online' }]),
      soon,
    )
    const island = await makeTestIsland(owner, { carrier: device.id })
    await publish(island.id, { ...openly, isShared: true })
    await vi.waitFor(() => expect(follower.held()).toHaveLength(2), soon)
    const given = follower.held().find(({ type }) => type === 'island')?.payload
    const { slug = '' } = { slug: undefined, ...given }
    expect(given).toEqual({
      id: island.id,
      slug,
      name: 'Harbor Bar',
      kind: 'social',
      picture: island.picture,
      tagline: 'A bar with a view',
      access: 'public',
      isOpen: true,
      deviceId: device.id,
    })
    await change(`devices/${device.id}`, { isShared: false })
    await vi.waitFor(
      () => expect(payloads(follower.held())).toEqual([{ ...given, deviceId: null }]),
      soon,
    )
    const numbers = follower.received.map(({ head }) => head.number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  })

  test('goes on after its number, or gets a snapshot if that is unknown', async () => {
    const { owner, follower } = await setUp()
    await registerTestDevice(owner, { isShared: true })
    await follower.connect()
    await vi.waitFor(() => expect(follower.last()?.kind).toBe('alive'), soon)
    follower.close()
    const second = await registerTestDevice(owner, { isShared: true })
    const from = follower.received.length
    await follower.connect()
    await vi.waitFor(() => expect(follower.held()).toHaveLength(2), soon)
    const kinds = follower.received.slice(from).map(({ head }) => head.kind)
    // Servers that share a database give snapshots in their first seconds.
    expect(kinds.includes('page')).toBe(isOnPostgres())
    const told = follower.received.slice(from).flatMap(({ entries }) => entries)
    expect(payloads(told).at(-1)?.id).toBe(second.id)
    for (const unknown of ['1-5', `${follower.last()?.epoch}-999`, 'x']) {
      follower.close()
      const before = follower.received.length
      await follower.connect(unknown)
      await vi.waitFor(() => expect(follower.received.length).toBeGreaterThan(before), soon)
      expect(follower.received[before]?.head.kind).toBe('page')
    }
  })

  test('gets nothing that came from others, or that is not shared', async () => {
    const { inject, owner, follower, change } = await setUp()
    const { id } = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, id)
    await follower.connect()
    await vi.waitFor(() => expect(follower.last()?.kind).toBe('alive'), soon)
    await sendHeartbeat({ inject }, token)
    await change(`devices/${id}`, { label: 'Roof' })
    await owner.inject({ method: 'DELETE', url: `/api/devices/${id}` })
    const shared = await registerTestDevice(owner, { isShared: true })
    await vi.waitFor(() => expect(follower.held()).toHaveLength(1), soon)
    const all = follower.received.flatMap(({ entries }) => payloads(entries))
    expect(all.map((payload) => payload.id)).toEqual([shared.id])
  })
})

describe('[F4] S74 what is shared no longer is asked back', () => {
  const subjects = ['is not shared', 'is private', 'is deleted', 'is hidden'] as const

  test.each(subjects)('as a device that %s', async (how) => {
    const testApp = await setUp()
    const { storage, owner, follower, change } = testApp
    const { id } = await registerTestDevice(owner, { isShared: true })
    await follower.connect()
    await vi.waitFor(() => expect(follower.held()).toHaveLength(1), soon)
    const act = {
      'is not shared': () => change(`devices/${id}`, { isShared: false }),
      'is private': () => change(`devices/${id}`, { visibility: 'private' }),
      'is deleted': () => owner.inject({ method: 'DELETE', url: `/api/devices/${id}` }),
      'is hidden': () => sqlDevicesStore(storage).setHidden(id, { atMs: 1, reason: 'x' }),
    }
    await act[how]()
    await vi.waitFor(() => expect(follower.held()).toEqual([]), soon)
    const changes = follower.received.filter(({ head }) => head.kind === 'changes')
    expect(changes.flatMap(({ entries }) => entries)).toEqual([
      { type: 'device-removed', payload: { id } },
    ])
    // Whoever follows from now on learns nothing of it.
    const other = await testFollower(testApp)
    await other.connect()
    await vi.waitFor(() => expect(other.last()?.kind).toBe('alive'), soon)
    expect(other.received.flatMap(({ entries }) => entries)).toEqual([])
  })

  test('as an island that is not listed, not shared, or closed for good', async () => {
    const { owner, follower, change, publish } = await setUp()
    await follower.connect()
    const { id } = await makeTestIsland(owner)
    for (const end of [
      () => publish(id, { access: 'public', isListed: false }),
      () => change(`islands/${id}`, { isShared: false }),
    ]) {
      await publish(id, { ...openly, isShared: true })
      await vi.waitFor(() => expect(follower.held()).toHaveLength(1), soon)
      await end()
      await vi.waitFor(() => expect(follower.held()).toEqual([]), soon)
    }
  })

  test('and later changes of it are nobody’s business', async () => {
    const { inject, owner, follower, change } = await setUp()
    const { id } = await registerTestDevice(owner, { isShared: true })
    const { token } = await createTestToken(owner, id)
    await follower.connect()
    await change(`devices/${id}`, { isShared: false })
    await vi.waitFor(() => expect(follower.held()).toEqual([]), soon)
    const from = follower.received.length
    await sendHeartbeat({ inject }, token)
    await change(`devices/${id}`, { label: 'Roof' })
    await registerTestDevice(owner, { isShared: true })
    await vi.waitFor(() => expect(follower.held()).toHaveLength(1), soon)
    const told = follower.received.slice(from).flatMap(({ entries }) => payloads(entries))
    expect(told.map((payload) => payload.id)).not.toContain(id)
  })
})

test('[F6] a restart begins a later epoch with a snapshot', async () => {
  const storage = await openTestStorage()
  const first = await setUp({ storage })
  await registerTestDevice(first.owner, { isShared: true })
  await first.follower.connect()
  await vi.waitFor(() => expect(first.follower.last()?.kind).toBe('alive'), soon)
  const last = first.follower.last()
  await first.app.close()
  await vi.waitFor(() => expect(first.follower.isOver()).toBe(true), inTime)
  const second = await setUp({ storage })
  await second.follower.connect(`${last?.epoch}-${last?.number}`)
  await vi.waitFor(() => expect(second.follower.held()).toHaveLength(1), inTime)
  expect(second.follower.received[0]?.head.kind).toBe('page')
  // The numbers of servers that share a database go on.
  expect((second.follower.last()?.epoch ?? 0) > (last?.epoch ?? 0)).toBe(!isOnPostgres())
})

test('[F5] S73 nobody follows without a signed request, and a few streams are open for each address', async () => {
  const testApp = await setUp({ config: { limitExempt: [] } })
  const answer = await testApp.inject({ url: directoryPath })
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
    401,
    'invalid_follower',
  ])
  const followers = await Promise.all(Array.from({ length: 5 }, () => testFollower(testApp)))
  const statuses = []
  for (const follower of followers) statuses.push(await follower.connect())
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  followers[0]?.close()
  await vi.waitFor(async () => expect(await followers[4]?.connect()).toBe(200), inTime)
})
