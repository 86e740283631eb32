import type { CheckTarget } from '@astropelago/contract/checks'
import { expect, test } from 'vitest'
import type { CheckRecord, CheckState } from '../checks-store.ts'
import { CheckLocations, type Lenders } from './check-locations.ts'
import type { Doubt, Location, LocationsStore, Proof } from './locations-store.ts'
import { placeOf } from '../../../outgoing/place.ts'
import { proofMs } from './proofs.ts'
import { doubtMaxMs } from './quorum.ts'

type Asked = Parameters<Lenders['ask']>[1]
type Answer = Awaited<ReturnType<Lenders['ask']>>

const minuteMs = 60_000
const ownerKey = 1
const target: CheckTarget = {
  kind: 'http',
  url: 'https://harbor.example:8443/',
  statuses: '200-299',
  text: null,
  followsRedirects: true,
  periodS: 60,
  timeoutS: 10,
}
const up = { outcome: 'up', tookMs: 40, why: '' } as const
const down = { outcome: 'down', tookMs: null, why: 'ETIMEDOUT' } as const

const checkOf = (more: Partial<CheckRecord> = {}): CheckRecord => ({
  key: 7,
  id: 'check',
  userKey: ownerKey,
  name: 'Harbor',
  target,
  publicMs: null,
  isPaused: false,
  island: null,
  device: null,
  createdMs: 0,
  hidden: null,
  state: null,
  ...more,
})

const upState: CheckState = {
  status: 'up',
  sinceMs: 0,
  lookedMs: 0,
  startedMs: null,
  dueMs: null,
  tookMs: null,
  failures: 0,
  note: null,
}

/** Locations 11 to 15 of users 101 to 105, and 16 of the owner. */
const lent = [11, 12, 13, 14, 15, 16].map((deviceKey): Location => ({
  deviceKey,
  deviceId: `device ${deviceKey}`,
  userKey: deviceKey === 16 ? ownerKey : deviceKey + 90,
  id: `location ${deviceKey}`,
  region: null,
  isLending: true,
  consentedMs: 0,
}))

async function setUp({ isProven = true, doubts = [] as readonly Doubt[] } = {}) {
  let nowMs = doubtMaxMs
  let lending: readonly Location[] = lent
  const answers = new Map<number, Answer>()
  const asked: [deviceKey: number, look: Asked][] = []
  let stored: ReadonlyMap<number, number> | undefined
  const proof: Proof = {
    userKey: ownerKey,
    place: 'harbor.example:8443',
    code: 'code',
    provenMs: nowMs,
    askedMs: nowMs,
  }
  const store = {
    listLending: async () => lending,
    listProven: async (sinceMs: number) =>
      isProven && (proof.provenMs ?? 0) >= sinceMs ? [proof] : [],
    listDoubts: async () => doubts,
    setDoubts: async (_: number, given: ReadonlyMap<number, number>) => void (stored = given),
  } satisfies Partial<LocationsStore>
  const locations = new CheckLocations({
    store,
    clock: () => nowMs,
    log: { error: () => undefined },
    lenders: {
      perHour: () => 120,
      ask: async (deviceKey, look) => {
        asked.push([deviceKey, look])
        return answers.has(deviceKey) ? answers.get(deviceKey) : up
      },
    },
  })
  await locations.refresh()
  return {
    locations,
    answers,
    asked: () => asked.splice(0),
    pass: (ms = minuteMs) => (nowMs += ms),
    setLending: (given: readonly Location[]) => (lending = given),
    storedDoubts: () => stored,
    look: async (check = checkOf()) => {
      const samples = await locations.look(check)
      return samples
        .toSorted((a, b) => a.locationKey - b.locationKey)
        .map(({ locationKey, tookMs }) => [locationKey, tookMs])
    },
  }
}

test.each([
  [target, 'harbor.example:8443'],
  [{ ...target, url: 'https://harbor.example/a?b' }, 'harbor.example:443'],
  [{ ...target, url: 'http://[2001:db8::1]/' }, '[2001:db8::1]:80'],
  [
    { kind: 'tcp', host: 'harbor.example.', port: 22, periodS: 60, timeoutS: 1 },
    'harbor.example:22',
  ],
  [{ kind: 'tcp', host: '2001:db8::1', port: 22, periodS: 60, timeoutS: 1 }, '[2001:db8::1]:22'],
] as const)('the place of %j is %s', (given, name) => {
  expect(placeOf(given).name).toBe(name)
})

test('S71 locations look at a proven address, except for the owner’s own, which has no vote', async () => {
  const { look, asked, locations } = await setUp()
  expect(await look()).toEqual([11, 12, 13, 14, 15].map((key) => [key, 40]))
  expect(asked()).toContainEqual([11, { target, ports: [8443], isOwn: false }])
  expect(locations.decide(checkOf(), 'up').votes).toHaveLength(6)
})

test('S71 nobody looks at an address without a proof, at another port, for another user, or after a day', async () => {
  const unproven = await setUp({ isProven: false })
  expect(await unproven.look()).toEqual([])
  const { look, asked, pass } = await setUp()
  expect(await look(checkOf({ target: { ...target, url: 'https://harbor.example/' } }))).toEqual([])
  expect(await look(checkOf({ userKey: 2 }))).toEqual([])
  pass(proofMs)
  expect(await look()).toEqual([])
  expect(asked()).toEqual([])
})

test('[C17] the owner’s device alone looks at what runs from it, without a proof', async () => {
  const { look, asked, answers, locations } = await setUp()
  const own = checkOf({ device: { key: 16, id: 'device 16' } })
  expect(await look(own)).toEqual([])
  expect(asked()).toEqual([])
  expect(await locations.lookFromOwn(own, target)).toEqual({ isUp: true, tookMs: 40 })
  expect(asked()).toEqual([[16, { target, ports: [], isOwn: true }]])
  const answered = async (answer: Answer, check = own) => {
    answers.set(16, answer)
    return await locations.lookFromOwn(check, target)
  }
  const downNote = { isUp: false, tookMs: null, note: 'It does not answer.' }
  expect(await answered(down)).toEqual(downNote)
  const status = { outcome: 'down', tookMs: 4, why: 'status 502' } as const
  expect(await answered(status)).toMatchObject({ tookMs: 4, note: 'It answers with status 502.' })
  for (const why of ['port', 'address', 'name', 'limit', 'constructor']) {
    const refused = { outcome: 'refused', tookMs: null, why } as const
    expect(await answered(refused)).toMatchObject({ isUp: false, isUnseen: true })
  }
  expect(await answered(undefined)).toMatchObject({ isUnseen: true })
  asked()
  const deleted = checkOf({ device: { key: null, id: 'device 16' } })
  expect(await answered(up, deleted)).toMatchObject({ isUnseen: true })
  expect(await answered(up, checkOf())).toMatchObject({ isUnseen: true })
  expect(asked()).toEqual([])
})

test('locations look once a minute, however often the server does', async () => {
  const { look, asked, pass } = await setUp()
  const often = checkOf({ target: { ...target, periodS: 30 } })
  for (let looks = 0; looks < 4; looks += 1) {
    await look(often)
    pass(minuteMs / 2)
  }
  expect(asked()).toHaveLength(10)
})

const failing = (failures: number) => checkOf({ state: { ...upState, failures } })

test('[C4] locations look again half a minute after a first failure', async () => {
  const { look, asked, pass } = await setUp()
  await look(failing(0))
  pass(minuteMs / 2)
  await look(failing(2))
  expect(asked()).toHaveLength(5)
  await look(failing(1))
  expect(asked()).toHaveLength(5)
})

test('a location that stops lending is asked no more', async () => {
  const { look, locations, setLending, pass } = await setUp()
  await look()
  setLending(lent.slice(0, 2))
  await locations.refresh()
  pass()
  expect(await look()).toEqual([
    [11, 40],
    [12, 40],
  ])
})

test('an address that fewer than half can’t reach is up, and one that all can’t reach is down', async () => {
  const { look, locations, answers, pass } = await setUp()
  await look()
  answers.set(11, down)
  for (const status of ['up', 'up'] as const) {
    pass()
    await look()
    expect(locations.decide(checkOf(), 'up').status).toBe(status)
  }
  expect(locations.decide(checkOf(), 'up').unreachableFrom).toEqual([11])
  for (const key of [12, 13, 14, 15]) answers.set(key, down)
  pass()
  await look()
  // One failure of each does not count yet.
  expect(locations.decide(checkOf(), 'up').status).toBe('up')
  pass()
  expect(await look()).toEqual([11, 12, 13, 14, 15].map((key) => [key, null]))
  expect(locations.decide(checkOf(), 'down')).toMatchObject({ status: 'down', unreachableFrom: [] })
})

test('what a location refuses to look at, or does not answer, is no vote and no sample', async () => {
  const { look, locations, answers } = await setUp()
  answers.set(11, undefined)
  answers.set(12, { outcome: 'refused', tookMs: null, why: 'port' })
  expect(await look()).toEqual([13, 14, 15].map((key) => [key, 40]))
  expect(locations.decide(checkOf(), 'up').votes).toHaveLength(4)
})

test('a location that has disagreed for three days is asked no more, also after a restart', async () => {
  const { look, locations, answers, pass, storedDoubts } = await setUp()
  await look()
  answers.set(11, down)
  for (let looks = 0; looks < 2; looks += 1) {
    pass()
    await look()
    locations.decide(checkOf(), 'up')
  }
  expect([...(storedDoubts()?.keys() ?? [])]).toEqual([11])
  const later = await setUp({ doubts: [{ checkKey: 7, deviceKey: 11, sinceMs: 0 }] })
  expect(await later.look()).toEqual([12, 13, 14, 15].map((key) => [key, 40]))
})

test('what nobody else looks at is what the server found', async () => {
  const { locations } = await setUp({ isProven: false })
  const state = {
    status: 'up',
    sinceMs: 1,
    lookedMs: 2,
    startedMs: null,
    dueMs: null,
    tookMs: 3,
    failures: 0,
    note: null,
  } as const
  const found = { checkKey: 7, state, event: null, samples: [] }
  expect(locations.judge(checkOf(), found, { isSeen: true, samples: [] })).toBe(found)
})
