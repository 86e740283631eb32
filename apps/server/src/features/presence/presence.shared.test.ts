import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { pass, setUpPresence, windowMs } from './testing/set-up-presence.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { Presence, tickMs } from './presence.ts'
import type { Outage } from './status.ts'

const writer = 1
const other = 2

interface Asked {
  readonly leads: boolean
  readonly broughtBack?: boolean
}

/**
 * Presence on a server that shares its storage, and leads if the test says so.
 * @param broughtBack its device is on record as offline, and was loaded with a window twice as long
 */
async function setUp({ leads, broughtBack = false }: Asked) {
  const { db, clock, store, presence: before } = await setUpPresence()
  const device = await insertDevice(db)
  if (broughtBack) {
    await before.heartbeat(device)
    await pass(before, clock, windowMs)
    await before.stop()
  }
  const role = {
    leads,
    isCutOff: false,
    commits: 0,
    /** Commits are answered once this resolves. */
    answer: Promise.resolve(),
    silences: new Map<number, readonly Outage[]>(),
  }
  const flips: (readonly [status: string, ...deviceKeys: number[]])[] = []
  const presence = await Presence.load({
    store: {
      ...store,
      commitHeartbeats: async (group) => {
        if (role.isCutOff) throw new StorageUnavailable('cut off')
        const atMs = await store.commitHeartbeats(group)
        role.commits += 1
        await role.answer
        return atMs
      },
    },
    clock: clock.now,
    windowMs: broughtBack ? 2 * windowMs : windowMs,
    log: { warn: () => undefined },
    shared: { writer, leads: () => role.leads, silences: () => role.silences },
  })
  presence.listen((keys, status) => flips.push([status, ...keys]))
  return { db, clock, store, role, flips, presence, device }
}

test('a follower stores heartbeats and publishes them, but records no flip', async () => {
  const { clock, store, flips, presence, device } = await setUp({ leads: false })
  await presence.heartbeat(device)
  expect(presence.status(device)).toBe('online')
  expect(flips).toEqual([['online', device]])
  await pass(presence, clock, windowMs)
  expect(presence.status(device)).toBe('online')
  expect(await store.events(device)).toEqual([])
})

test('the leader records a device that another server heard, once', async () => {
  const { clock, store, flips, presence, device } = await setUp({ leads: true })
  const group = { writer: other, atMs: clock.now(), deviceKeys: [device] }
  presence.receiveHeartbeats(group)
  presence.receiveHeartbeats(group)
  await expect.poll(() => flips).toEqual([['online', device]])
  presence.receiveHeartbeats({ ...group, atMs: clock.now() + 1 })
  expect(await store.events(device)).toHaveLength(1)
  expect(flips).toHaveLength(1)
})

test('[P6] a heartbeat from before a judgement brings no device back, a later one does', async () => {
  const { clock, flips, presence, device } = await setUp({ leads: false })
  const heardMs = clock.now()
  await presence.heartbeat(device)
  presence.receiveOffline([device], heardMs + windowMs)
  presence.receiveHeartbeats({ writer: other, atMs: heardMs + windowMs - 1, deviceKeys: [device] })
  expect(presence.status(device)).toBe('offline')
  presence.receiveHeartbeats({ writer: other, atMs: heardMs + windowMs, deviceKeys: [device] })
  expect(presence.status(device)).toBe('online')
  presence.receiveOffline([device], heardMs + windowMs)
  expect(flips.map(([status]) => status)).toEqual(['online', 'offline', 'online'])
})

test('[P5] a device last heard by a silent server gets a window after the silence, others do not', async () => {
  const { db, clock, role, presence, device } = await setUp({ leads: true })
  const own = await insertDevice(db)
  await presence.heartbeat(own)
  const startMs = clock.now()
  presence.receiveHeartbeats({ writer: other, atMs: startMs, deviceKeys: [device] })
  await expect.poll(() => presence.status(device)).toBe('online')
  role.silences.set(other, [{ fromMs: startMs + windowMs / 2, toMs: startMs + windowMs }])
  await pass(presence, clock, windowMs)
  expect([device, own].map((key) => presence.status(key))).toEqual(['online', 'offline'])
  await pass(presence, clock, windowMs - 1)
  expect(presence.status(device)).toBe('online')
  await pass(presence, clock, 1)
  expect(presence.status(device)).toBe('offline')
})

test('[H3] the leader records another server’s silence permanently, up to now', async () => {
  const { db, clock, role, presence } = await setUp({ leads: true })
  const recorded = () => db.selectFrom('unobserved').selectAll().execute()
  const fromMs = clock.now()
  const silentFor = async (ms: number) => {
    role.silences.set(other, [{ fromMs, toMs: fromMs + ms }])
    await pass(presence, clock, tickMs)
    return await recorded()
  }
  expect(await silentFor(3000)).toEqual([])
  const row = { from_ms: fromMs, writer: other }
  expect(await silentFor(3001)).toEqual([{ ...row, to_ms: fromMs + 3001 }])
  expect(await silentFor(9000)).toEqual([{ ...row, to_ms: fromMs + 9000 }])
  // Rows on record stay when the silence is forgotten, and nobody else writes them.
  role.silences.clear()
  await pass(presence, clock, tickMs)
  role.leads = false
  await silentFor(20_000)
  expect(await recorded()).toEqual([{ ...row, to_ms: fromMs + 9000 }])
})

test('a new leader records devices that the previous one did not get to', async () => {
  const { store, role, presence, device } = await setUp({ leads: false })
  await presence.heartbeat(device)
  role.leads = true
  await presence.lead([device])
  await expect.poll(async () => await store.events(device)).toMatchObject([{ status: 'online' }])
  await presence.lead([device])
  await presence.stop()
  expect(await store.events(device)).toHaveLength(1)
})

test('a new leader has recorded nothing until its first tick', async () => {
  const { clock, role, presence } = await setUp({ leads: false })
  await presence.tick()
  expect(presence.recordedUntilMs()).toBeNull()
  role.leads = true
  expect(presence.recordedUntilMs()).toBeNull()
  await presence.tick()
  expect(presence.recordedUntilMs()).toBe(clock.now())
})

test('a device that a leader could not record is online while it follows, and recorded once it leads again', async () => {
  const { clock, store, role, presence, device } = await setUp({ leads: true })
  for (let times = 0; times < 2; times += 1) {
    role.isCutOff = true
    role.leads = true
    if (times === 0)
      presence.receiveHeartbeats({ writer: other, atMs: clock.now(), deviceKeys: [device] })
    else await presence.lead([device])
    await presence.tick()
    role.leads = false
    await presence.tick()
    expect(presence.status(device)).toBe('online')
  }
  role.isCutOff = false
  role.leads = true
  await presence.lead([device])
  await expect.poll(async () => await store.events(device)).toMatchObject([{ status: 'online' }])
  expect(presence.status(device)).toBe('online')
})

test('a device judged offline while its heartbeat commits is published as online afterwards', async () => {
  const { clock, role, flips, presence, device } = await setUp({ leads: false })
  await presence.heartbeat(device)
  const { promise, resolve } = Promise.withResolvers<void>()
  role.answer = promise
  clock.move(windowMs)
  const heartbeat = presence.heartbeat(device)
  await expect.poll(() => role.commits).toBe(2)
  presence.receiveOffline([device], clock.now())
  resolve()
  await heartbeat
  expect(flips.map(([status]) => status)).toEqual(['online', 'offline', 'online'])
  expect(presence.status(device)).toBe('online')
})

test('a server that takes over while a heartbeat commits records it and publishes it as online last', async () => {
  const { store, role, flips, presence, device } = await setUp({ leads: false })
  await presence.heartbeat(device)
  const { promise, resolve } = Promise.withResolvers<void>()
  role.answer = promise
  const heartbeat = presence.heartbeat(device)
  await expect.poll(() => role.commits).toBe(2)
  role.leads = true
  const leading = presence.lead([device])
  // If taking over did not wait for the answer, it would be done by then.
  await store.outages()
  await store.read([device])
  resolve()
  await Promise.all([heartbeat, leading])
  await expect.poll(async () => await store.events(device)).toMatchObject([{ status: 'online' }])
  await expect.poll(() => flips.at(-1)).toEqual(['online', device])
})

test('the leader records a device that a longer window brought back when another server hears it', async () => {
  const { clock, store, presence, device } = await setUp({ leads: true, broughtBack: true })
  expect(presence.status(device)).toBe('online')
  clock.move(tickMs)
  const group = { writer: other, atMs: clock.now(), deviceKeys: [device] }
  presence.receiveHeartbeats(group)
  presence.receiveHeartbeats(group)
  await presence.stop()
  expect((await store.events(device)).map(({ status }) => status)).toEqual([
    'online',
    'offline',
    'online',
  ])
})

test('a follower publishes a device that a longer window brought back once, and records no flip', async () => {
  const { clock, store, flips, presence, device } = await setUp({ leads: false, broughtBack: true })
  clock.move(tickMs)
  await presence.heartbeat(device)
  await presence.heartbeat(device)
  expect(flips).toEqual([['online', device]])
  expect(await store.events(device)).toHaveLength(2)
})
