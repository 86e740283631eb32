import { describe, expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { tickMs } from './presence.ts'
import { pass, setUpPresence, windowMs } from './testing/set-up-presence.ts'

describe('a sweep', () => {
  test('[P6] a heartbeat that another server committed meanwhile is not overruled', async () => {
    const { db, clock, store, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    await store.commitHeartbeats({ atMs: clock.now(), stayed: [device], cameOnline: [] })
    await pass(presence, clock, 1)
    expect(presence.status(device)).toBe('online')
    expect(await store.events(device)).toHaveLength(1)
  })

  test('[P6] a heartbeat that waits for its commit at the deadline is not overruled', async () => {
    const { db, clock, store, load } = await setUpPresence()
    const [device, other] = [await insertDevice(db), await insertDevice(db)]
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let commits = 0
    const presence = await load({
      commitHeartbeats: async (group) => {
        commits += 1
        if (commits === 2) {
          begun.resolve()
          await held.promise
        }
        return await store.commitHeartbeats(group)
      },
    })
    // The tick at the deadline then has nothing to write before its sweep.
    await pass(presence, clock, tickMs)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    const others = presence.heartbeat(other)
    // What comes before the commit begins would be part of it.
    await begun.promise
    const second = presence.heartbeat(device)
    clock.move(1)
    const tick = presence.tick()
    held.resolve()
    await Promise.all([others, second, tick])
    expect(presence.status(device)).toBe('online')
    expect(await store.events(device)).toHaveLength(1)
  })

  test('[P6] a heartbeat during its device’s flip brings the device back and is published', async () => {
    const { db, clock, store, load, flips } = await setUpPresence()
    const device = await insertDevice(db)
    let duringFlip: Promise<void> | undefined
    const presence = await load({
      recordOffline: (...flip) => {
        duringFlip ??= presence.heartbeat(device)
        return store.recordOffline(...flip)
      },
    })
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    await duringFlip
    expect(presence.status(device)).toBe('online')
    expect(flips.map(([status]) => status)).toEqual(['online', 'offline', 'online'])
    const events = await store.events(device)
    expect(events.map((event) => event.status)).toEqual(['online', 'offline', 'online'])
  })

  test('at most 500 flips are in one commit, so that heartbeats get their turn', async () => {
    const { clock, load } = await setUpPresence()
    const commits: number[] = []
    const presence = await load({
      recordOffline: async (flips) => {
        commits.push(flips.length)
        return flips.map(({ deviceKey }) => deviceKey)
      },
    })
    await Promise.all(Array.from({ length: 501 }, (_, at) => presence.heartbeat(at + 1)))
    await pass(presence, clock, windowMs)
    expect(commits).toEqual([500, 1])
  })

  test('a device that storage no longer has is forgotten', async () => {
    const { db, clock, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await db.deleteFrom('devices').where('key', '=', device).execute()
    await pass(presence, clock, windowMs)
    expect(presence.status(device)).toBe('unknown')
  })

  test('a longer window after a restart brings devices back, and they flip when it is over', async () => {
    const { db, clock, presence, load, flips } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    await presence.stop()
    const restarted = await load({}, windowMs * 2)
    expect(restarted.status(device)).toBe('online')
    flips.length = 0
    await pass(restarted, clock, windowMs)
    expect(restarted.status(device)).toBe('offline')
    expect(flips).toEqual([['offline', device]])
  })
})
