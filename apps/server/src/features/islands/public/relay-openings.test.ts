import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { islandFacts } from '../testing/island-facts.ts'
import { CachedIslands } from './cached-islands.ts'
import { graceMs, relayOpenings, startGraceMs } from './relay-openings.ts'

const key = 1
const carrierKey = 7
const island = islandFacts({
  key,
  publishedMs: null,
  isRelayed: true,
  carrier: { key: carrierKey, id: 'device', isPublic: false, isShared: false, flip: null },
})

/** An island, and agents that come and go. Times count from the start. */
function setUp({ isOpenSince }: { readonly isOpenSince?: number } = {}) {
  const clock = movableClock(1_000_000)
  const startMs = clock.now()
  const cached = new CachedIslands({
    clock: clock.now,
    presence: {
      status: () => 'online',
      statusSince: async () => ({ status: 'online', sinceMs: null }),
    },
  })
  const relayOpening =
    isOpenSince === undefined ? null : { isOpen: true, sinceMs: startMs + isOpenSince }
  cached.set({ ...island, relayOpening })
  let agents = 0
  let isFailing = false
  let leads = true
  const published: [boolean, number][] = []
  const listeners: ((deviceKey: number) => void)[] = []
  const openings = relayOpenings({
    cached,
    clock: clock.now,
    cluster: { leads: () => leads },
    store: {
      recordOpenings: async (asked) => {
        if (isFailing) throw new Error('no database')
        return asked
      },
    },
    publish: (written) => {
      for (const { islandKey, isOpen, sinceMs } of written) {
        cached.applyRelayOpening(islandKey, { isOpen, sinceMs })
        published.push([isOpen, sinceMs - startMs])
      }
    },
    onFailure: () => undefined,
  })
  openings.follow({
    isOn: true,
    isCarried: () => agents > 0,
    onChange: (listener) => void listeners.push(listener),
  })
  const count = async (by: number) => {
    agents += by
    for (const listener of listeners) listener(carrierKey)
    await openings.settled()
  }
  return {
    openings,
    published,
    come: () => count(1),
    go: () => count(-1),
    goUnnoticed: () => {
      agents -= 1
    },
    pass: async (ms: number) => {
      clock.move(ms)
      openings.closeLeft()
      await openings.settled()
    },
    setFailing: (to: boolean) => {
      isFailing = to
    },
    setLeads: (to: boolean) => {
      leads = to
    },
  }
}

test('an island opens with its first agent, and closes 10 s after the last one has gone', async () => {
  const { come, go, pass, published } = setUp()
  await come()
  await come()
  expect(published).toEqual([[true, 0]])
  await pass(100)
  await go()
  await pass(2 * graceMs)
  await go()
  await pass(graceMs - 1)
  expect(published).toHaveLength(1)
  await pass(1)
  expect(published.slice(1)).toEqual([[false, 100 + 2 * graceMs]])
})

test('an agent that returns within 10 s closes nothing, however often', async () => {
  const { come, go, pass, published } = setUp()
  await come()
  for (let times = 0; times < 5; times += 1) {
    await go()
    await pass(graceMs - 1)
    await come()
    await pass(graceMs)
  }
  expect(published).toEqual([[true, 0]])
})

test('at the start, agents have 40 s to come back, later 10 s', async () => {
  const lost = setUp({ isOpenSince: -5000 })
  lost.openings.begin([key])
  await lost.pass(startGraceMs - 1)
  expect(lost.published).toEqual([])
  await lost.pass(1)
  expect(lost.published).toEqual([[false, 0]])

  const back = setUp({ isOpenSince: -5000 })
  back.openings.begin([key])
  await back.pass(graceMs)
  await back.come()
  await back.go()
  await back.pass(graceMs)
  expect(back.published).toEqual([[false, graceMs]])
})

test('a change that the database refuses is published once it takes it, unless it is outdated', async () => {
  const { come, go, pass, published, setFailing } = setUp()
  setFailing(true)
  await come()
  await go()
  await pass(1000)
  setFailing(false)
  await pass(1000)
  expect(published).toEqual([])
  setFailing(true)
  await come()
  setFailing(false)
  await pass(1000)
  expect(published).toEqual([[true, 2000]])
})

test('an opening that waits for the database is not written if its agent has gone meanwhile', async () => {
  const { come, goUnnoticed, pass, published, setFailing } = setUp()
  setFailing(true)
  await come()
  goUnnoticed()
  setFailing(false)
  await pass(1000)
  expect(published).toEqual([])
})

test('a server that does not lead judges nothing, and judges all islands once it leads', async () => {
  const { openings, come, published, setLeads } = setUp()
  setLeads(false)
  await come()
  expect(published).toEqual([])
  setLeads(true)
  openings.begin([key])
  await openings.settled()
  expect(published).toEqual([[true, 0]])
})
