import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeTestCheck, recordFound } from '../../test/api-checks.ts'
import { publishTestIsland, viewIsland } from '../../test/api-islands.ts'
import { createTestApp, type TestAppOptions } from '../../test/create-test-app.ts'
import type { MovableClock } from '../../test/movable-clock.ts'

const monthS = 30 * 86_400
const push = { kind: 'push', periodS: monthS, graceS: monthS }

async function setUp(options?: TestAppOptions) {
  const app = await createTestApp(options)
  const host = await app.signUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: true })
  const check = await makeTestCheck(host, { target: push, island: island.id })
  const url = `/api/me/checks/${check.id}`
  return {
    ...app,
    host,
    island,
    check,
    find: (kind: 'up' | 'down' | 'unobserved') => {
      app.clock.move(1000)
      const atMs = app.clock.now()
      return recordFound(app.storage, check.id, { kind, atMs }).then(() => atMs)
    },
    change: (payload: object) => host.inject({ method: 'PATCH', url, payload }),
    remove: () => host.inject({ method: 'DELETE', url }),
    view: () => viewIsland(host, island.slug),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

const soon = async (clock: MovableClock, check: () => Promise<void>) => {
  await vi.waitFor(
    async () => {
      // A server whose clock jumps was away.
      clock.move(5000)
      await vi.advanceTimersByTimeAsync(5000)
      await check()
    },
    { timeout: 15_000 },
  )
}

describe('an island with a link of its own', () => {
  test('is open while its check is up, and as without one while that does not know', async () => {
    const { view, find, change, remove, inject, island } = await setUp()
    const unwatched = { isOpen: true, isWatched: false, since: null }
    const listed = async () => {
      const found = await inject({ url: '/api/islands?state=open' })
      return found.json<{ islands: { id: string }[] }>().islands.some(({ id }) => id === island.id)
    }
    expect(await view()).toMatchObject(unwatched)
    const downMs = await find('down')
    expect(await view()).toMatchObject({ isOpen: false, isWatched: true, since: iso(downMs) })
    expect(await listed()).toBe(false)
    const upMs = await find('up')
    expect(await view()).toMatchObject({ isOpen: true, isWatched: true, since: iso(upMs) })
    expect(await listed()).toBe(true)
    await find('unobserved')
    expect(await view()).toMatchObject(unwatched)
    await find('down')
    expect(await view()).toMatchObject({ isOpen: false })
    await change({ isPaused: true })
    expect(await view()).toMatchObject(unwatched)
    await change({ isPaused: false })
    await find('down')
    await change({ island: null })
    expect(await view()).toMatchObject(unwatched)
    await change({ island: island.id })
    expect(await view()).toMatchObject({ isOpen: false })
    await remove()
    expect(await view()).toMatchObject(unwatched)
    expect(await listed()).toBe(true)
  })

  test('is open by any other way in, whatever the check says', async () => {
    const { view, find, host, island } = await setUp()
    await find('up')
    const url = `/api/islands/${island.id}`
    await host.inject({ method: 'PATCH', url, payload: { address: null } })
    expect(await view()).toMatchObject({ isOpen: false, isWatched: false })
    await host.inject({ method: 'PATCH', url, payload: { isHosted: true } })
    await find('down')
    expect(await view()).toMatchObject({ isWatched: true, since: null })
  })
})

describe('what its check finds', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('[HI1] is in its history, since when the check says', async () => {
    const { find, clock, host, island, change } = await setUp({})
    const eventsAre = (expected: readonly object[]) =>
      soon(clock, async () => {
        const response = await host.inject({ url: `/api/islands/${island.id}/history` })
        expect(response.json<{ events: object[] }>().events).toMatchObject(expected)
      })
    await find('up')
    // Nobody watched it before, so its history begins when that is on record.
    await eventsAre([{ kind: 'open' }])
    const closed = { at: iso(await find('down')), kind: 'closed' }
    await eventsAre([closed, { kind: 'open' }])
    await change({ isPaused: true })
    await eventsAre([{ kind: 'unobserved' }, closed, { kind: 'open' }])
  })

  test('is in its log, once it has lasted', async () => {
    const { find, clock, inject, island } = await setUp({})
    const logIs = (expected: readonly object[]) =>
      soon(clock, async () => {
        const response = await inject({ url: `/api/islands/${island.id}/log` })
        expect(response.json<{ entries: object[] }>().entries).toMatchObject(expected)
      })
    const opened = { kind: 'opened', at: iso(await find('up')) }
    await logIs([opened])
    await logIs([{ kind: 'closed', at: iso(await find('down')) }, opened])
  })
})
