import type { Neighbour, NeighbourDevice, NeighbourIsland } from '@astropelago/contract/neighbours'
import type { OperatorNeighbour } from '@astropelago/contract/operator-neighbours'
import { expect, onTestFinished, test } from 'vitest'
import { inTime } from '../../test/in-time.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { createOperatorApp } from '../../test/operator-app.ts'
import {
  deviceEntry,
  eventOf,
  islandEntry,
  playInstallation,
  removal,
  type PlayedInstallation,
} from './conformance/played-installation.ts'

/** Each look moves the clock on. */
const untilSeen = { ...inTime, interval: 5 }
const hourMs = 3_600_000

/** It goes by itself, and the test moves it. */
function runningClock() {
  const { now, move } = movableClock()
  const begun = performance.now()
  return { now: () => Math.floor(now() + performance.now() - begun), move }
}

async function setUp(entries = [deviceEntry(), islandEntry()]) {
  const home = await createOperatorApp({
    config: { allowsPrivateTargets: true },
    clock: runningClock(),
  })
  const far = await playInstallation(home.clock.now)
  onTestFinished(far.close)
  far.state.entries = entries
  const { operator, inject } = home
  const preview = (address: string) =>
    operator.inject({
      method: 'POST',
      url: '/api/operator/neighbours/preview',
      payload: { address },
    })
  const follow = async (other: PlayedInstallation = far): Promise<OperatorNeighbour> => {
    const payload = { address: other.address, key: other.key() }
    const answer = await operator.inject({
      method: 'POST',
      url: '/api/operator/neighbours',
      payload,
    })
    expect(answer.statusCode).toBe(201)
    return answer.json()
  }
  const list = async (): Promise<OperatorNeighbour[]> =>
    (await operator.inject({ url: '/api/operator/neighbours' })).json().neighbours
  const first = async () => {
    await goOn()
    return (await list())[0]
  }
  const change = async (payload: object) => {
    const [neighbour] = await list()
    const url = `/api/operator/neighbours/${neighbour?.id}`
    return await operator.inject({ method: 'PATCH', url, payload })
  }
  /** Makes lists and connections due: they follow time, and an operator's change at once. */
  const goOn = async () => {
    home.clock.move(1000)
    const url = `/api/operator/neighbours/${(await list())[0]?.id}/shown`
    await operator.inject({ method: 'POST', url, payload: { kind: 'device', id: 'none' } })
  }
  const devices = async (): Promise<NeighbourDevice[]> => {
    await goOn()
    return (await inject({ url: '/api/neighbours/devices' })).json().devices
  }
  const labels = async () => (await devices()).map(({ label }) => label).toSorted()
  const islands = async (): Promise<NeighbourIsland[]> =>
    (await inject({ url: '/api/neighbours/islands' })).json().islands
  const neighbours = async (): Promise<Neighbour[]> => {
    await goOn()
    return (await inject({ url: '/api/neighbours' })).json().neighbours
  }
  const search = async (q: string) => (await inject({ url: `/api/search?q=${q}` })).json()
  return {
    ...home,
    far,
    preview,
    follow,
    list,
    first,
    goOn,
    change,
    devices,
    labels,
    islands,
    neighbours,
    search,
  }
}

test('[F20] an operator sees what following would bring, and follows', async () => {
  const { far, preview, follow, devices, islands, neighbours, search } = await setUp()
  const seen = await preview(far.address)
  expect(seen.json()).toEqual({
    address: far.address,
    name: 'Far Sky',
    software: 'Played 1',
    key: far.key(),
    islandCount: 1,
    deviceCount: 1,
    examples: ['Faraway', 'Beacon'],
  })
  const { id } = await follow()
  await expect
    .poll(neighbours, untilSeen)
    .toEqual([
      { id, name: 'Far Sky', address: far.address, colour: 0, islandCount: 1, deviceCount: 1 },
    ])
  const device = { id: `${id}:one`, label: 'Beacon', lat: 1.5, lon: 2.5, status: 'online' }
  const url = `${far.address}/islands/isle`
  expect(await devices()).toEqual([device])
  expect(await islands()).toMatchObject([
    { id: `${id}:isle`, neighbour: id, name: 'Faraway', url, isOpen: true },
  ])
  expect(await search('beac')).toMatchObject({ neighbourSatellites: [device], satellites: [] })
  expect(await search('farA')).toMatchObject({ neighbourIslands: [{ url }], islands: [] })
})

test('[F21] what changes there changes here, and what is withdrawn is gone', async () => {
  const { far, follow, first, labels, islands, search } = await setUp()
  await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  far.change(deviceEntry({ id: 'two', label: 'Buoy' }), islandEntry({ isOpen: false }))
  await expect.poll(labels, untilSeen).toEqual(['Beacon', 'Buoy'])
  expect(await islands()).toMatchObject([{ isOpen: false }])
  far.change(removal('device', 'one'), removal('island', 'isle'))
  await expect.poll(labels, untilSeen).toEqual(['Buoy'])
  expect(await islands()).toEqual([])
  expect(await search('Beacon')).toMatchObject({ neighbourSatellites: [] })
  expect(await first()).toMatchObject({ deviceCount: 1, islandCount: 0, isConnected: true })
})

test('[F21] after a cut it goes on from where it was, or begins anew', async () => {
  const { far, follow, first, goOn, labels } = await setUp()
  await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  far.drop()
  const asked = async () => {
    await goOn()
    return far.asked.length
  }
  await expect.poll(asked, untilSeen).toBe(2)
  expect(far.asked.map(({ after }) => after)).toEqual([null, '1000-0'])
  await far.close()
  await expect.poll(first, untilSeen).toMatchObject({ isConnected: false, state: 'following' })
  far.state.entries = [deviceEntry({ label: 'Lighthouse' }), deviceEntry({ id: 'new' })]
  far.state.epoch += 1
  await far.listenAgain()
  await expect.poll(labels, untilSeen).toEqual(['Beacon', 'Lighthouse'])
  expect(await first()).toMatchObject({ islandCount: 0, deviceCount: 2, note: null })
})

test('[F24] an operator holds, resumes, blocks and forgets a neighbour', async () => {
  const { far, follow, operator, first, list, labels, neighbours, change } = await setUp()
  const { id } = await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  expect((await change({ state: 'held' })).json()).toMatchObject({ state: 'held' })
  expect(await labels()).toEqual([])
  expect(await neighbours()).toEqual([])
  await expect.poll(() => far.open.size, untilSeen).toBe(0)
  await change({ state: 'following' })
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  await change({ state: 'blocked' })
  expect(await labels()).toEqual([])
  await operator.inject({ method: 'DELETE', url: `/api/operator/neighbours/${id}` })
  expect(await list()).toEqual([])
  expect(await first()).toBeUndefined()
})

test('[F24] an operator hides one thing, also if it comes again', async () => {
  const { far, follow, operator, labels, search, neighbours } = await setUp()
  const { id } = await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  const subject = { kind: 'device', id: 'one' }
  const hide = { method: 'PUT', url: `/api/operator/neighbours/${id}/hidden`, payload: subject }
  expect((await operator.inject({ ...hide, method: 'PUT' })).statusCode).toBe(204)
  expect(await labels()).toEqual([])
  far.change(deviceEntry({ label: 'Beacon 2' }))
  far.change(deviceEntry({ id: 'two', label: 'Buoy' }))
  await expect.poll(labels, untilSeen).toEqual(['Buoy'])
  expect(await search('Beacon')).toMatchObject({ neighbourSatellites: [] })
  expect(await neighbours()).toHaveLength(1)
  const url = `/api/operator/neighbours/${id}/shown`
  await operator.inject({ method: 'POST', url, payload: subject })
  expect(await labels()).toEqual(['Beacon 2', 'Buoy'])
})

test('[F25] a day without contact hides what came', async () => {
  const { far, follow, first, labels, clock, storage } = await setUp()
  await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  await far.close()
  await expect.poll(first, untilSeen).toMatchObject({ isConnected: false })
  clock.move(23 * hourMs)
  expect(await labels()).toEqual(['Beacon'])
  clock.move(hourMs)
  expect(await labels()).toEqual([])
  expect(await first()).toMatchObject({ deviceCount: 1, state: 'following' })
  await far.listenAgain()
  clock.move(30_000)
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  const rows = await storage.db.selectFrom('neighbour_devices').select('label').execute()
  expect(rows).toEqual([{ label: 'Beacon' }])
})

test('[F26] its new key is taken if the old one signed it, and otherwise an operator decides', async () => {
  const { far, follow, first, labels, change } = await setUp()
  await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  far.changeKey()
  await expect.poll(first, untilSeen).toMatchObject({ keyNumber: 2, isConnected: true })
  far.changeKey({ isSigned: false })
  await expect.poll(first, untilSeen).toMatchObject({ state: 'held', unknownKey: far.key() })
  expect(await labels()).toEqual([])
  expect((await change({ key: 'A'.repeat(43) })).statusCode).toBe(400)
  expect((await change({ state: 'following', key: far.key() })).statusCode).toBe(200)
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  expect(await first()).toMatchObject({ keyNumber: 3, unknownKey: null, state: 'following' })
})

const script = '<script>alert(1)</script>'

test('S73 names are text, and ids lead nowhere else', async () => {
  const { far, follow, islands, labels } = await setUp([
    deviceEntry({ label: `${script}\u202e` }),
    islandEntry({ name: script, tagline: script }),
  ])
  await follow()
  await expect.poll(labels, untilSeen).toEqual([script])
  const [island] = await islands()
  expect(island).toMatchObject({ name: script, url: `${far.address}/islands/isle` })
})

test('S73 a neighbour that breaks a rule is held with a line for the operator', async () => {
  const { far, follow, first, labels, change } = await setUp()
  await follow()
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
  far.change(deviceEntry({ lat: 91 }))
  const note = 'It sends islands or devices that no installation has.'
  await expect.poll(first, untilSeen).toMatchObject({ state: 'held', note, isConnected: false })
  expect(await labels()).toEqual([])
  await expect.poll(() => far.open.size).toBe(0)
  far.state.entries = [deviceEntry()]
  expect((await change({ state: 'following' })).json()).toMatchObject({ note: null })
  await expect.poll(labels, untilSeen).toEqual(['Beacon'])
})

test('S73 snapshots without an end do not add up', async () => {
  const { far, follow, first, storage } = await setUp()
  const count = async (pattern: string) =>
    (
      await storage.db
        .selectFrom('neighbour_islands')
        .select('id')
        .where('id', 'like', pattern)
        .execute()
    ).length
  far.state.greet = (answer) => {
    for (const at of 'abc') {
      const entries = Array.from({ length: 6000 }, (_, index) =>
        islandEntry({ id: `${at}${index}` }),
      )
      const page = { index: 0, total: 2 }
      answer.write(eventOf([far.statement('page', JSON.stringify(entries), { page })]))
    }
  }
  await follow()
  await expect.poll(() => count('c%'), untilSeen).toBe(6000)
  await expect.poll(() => count('%'), untilSeen).toBeLessThanOrEqual(10_000)
  expect(await first()).toMatchObject({ state: 'following' })
})

test('S73 numbers that no database holds are refused', async () => {
  const { far, preview, follow, first, inject } = await setUp()
  far.state.about = { keyNumber: 2 ** 40 }
  expect((await preview(far.address)).json().fields.address).toBe('It does not say who it is.')
  far.state.about = { keyNumber: 2 ** 31 - 1, islands: Number.MAX_SAFE_INTEGER }
  far.state.epoch = Number.MAX_SAFE_INTEGER
  far.state.number = Number.MAX_SAFE_INTEGER
  await follow()
  await expect.poll(first, untilSeen).toMatchObject({ deviceCount: 1, isConnected: true })
  const after = await inject({ url: '/api/neighbours/islands?after=1.9999999999' })
  expect(after.statusCode).toBe(400)
})

test('[F20] addresses that can’t be followed, each with its reason', async () => {
  const { far, preview, follow, app } = await setUp()
  const noteOf = async (address: string) => {
    const answer = await preview(address)
    expect(answer.statusCode).toBe(400)
    return answer.json().fields.address
  }
  expect(await noteOf('sky:example:1')).toMatch('no address of the web')
  expect(await noteOf('ftp://sky.example')).toMatch('no address of the web')
  expect(await noteOf('https://sky.example.')).toMatch('no address of the web')
  far.state.about = { key: 'A'.repeat(43) }
  expect(await noteOf(far.address)).toBe('Its signature is wrong.')
  far.state.about = { name: '' }
  expect(await noteOf(far.address)).toBe('It does not say who it is.')
  far.state.about = {}
  await follow()
  const again = await preview(far.address)
  expect(again.statusCode).toBe(200)
  expect(app.server.listening).toBe(false)
})
