import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { CachedIslands } from '../public/cached-islands.ts'
import { islandFacts } from '../testing/island-facts.ts'
import type { RelayOpeningOf } from './relay-openings-store.ts'
import { graceMs, RelayOpenings, startGraceMs } from './relay-openings.ts'

const key = 1
const carrierKey = 7
const island = islandFacts({
  key,
  publishedMs: null,
  isRelayed: true,
  carrier: { key: carrierKey, id: 'device', isPublic: false, flip: null },
})

/** An island, and agents that come and go. Times count from the start. */
function setUp({ isOpenSince }: { readonly isOpenSince?: number } = {}) {
  const clock = movableClock(1_000_000)
  const startMs = clock.now()
  const known = new CachedIslands({
    clock: clock.now,
    presence: {
      status: () => 'online',
      statusSince: async () => ({ status: 'online', sinceMs: null }),
    },
  })
  const relayOpening =
    isOpenSince === undefined ? null : { isOpen: true, sinceMs: startMs + isOpenSince }
  known.set({ ...island, relayOpening })
  let agents = 0
  let isFailing = false
  let leads = true
  const told: [boolean, number][] = []
  const listeners: ((deviceKey: number) => void)[] = []
  const openings = new RelayOpenings({
    known,
    clock: clock.now,
    leads: () => leads,
    store: {
      note: async (asked) => {
        if (isFailing) throw new Error('no database')
        return asked
      },
    },
    tell: (written: readonly RelayOpeningOf[]) => {
      for (const { islandKey, isOpen, sinceMs } of written) {
        known.noteRelayOpening(islandKey, { isOpen, sinceMs })
        told.push([isOpen, sinceMs - startMs])
      }
    },
    noteFailure: () => undefined,
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
    told,
    come: () => count(1),
    go: () => count(-1),
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
  const { come, go, pass, told } = setUp()
  await come()
  await come()
  expect(told).toEqual([[true, 0]])
  await pass(100)
  await go()
  await pass(2 * graceMs)
  await go()
  await pass(graceMs - 1)
  expect(told).toHaveLength(1)
  await pass(1)
  expect(told.slice(1)).toEqual([[false, 100 + 2 * graceMs]])
})

test('an agent that is back within 10 s closes nothing, however often', async () => {
  const { come, go, pass, told } = setUp()
  await come()
  for (let times = 0; times < 5; times += 1) {
    await go()
    await pass(graceMs - 1)
    await come()
    await pass(graceMs)
  }
  expect(told).toEqual([[true, 0]])
})

test('at the start agents have 40 s to come back, and one that goes after that 10 s', async () => {
  const lost = setUp({ isOpenSince: -5000 })
  lost.openings.begin([key])
  await lost.pass(startGraceMs - 1)
  expect(lost.told).toEqual([])
  await lost.pass(1)
  expect(lost.told).toEqual([[false, 0]])

  const back = setUp({ isOpenSince: -5000 })
  back.openings.begin([key])
  await back.pass(graceMs)
  await back.come()
  await back.go()
  await back.pass(graceMs)
  expect(back.told).toEqual([[false, graceMs]])
})

test('what the database does not take is told when it does, unless it is true no more', async () => {
  const { come, go, pass, told, setFailing } = setUp()
  setFailing(true)
  await come()
  await go()
  await pass(1000)
  setFailing(false)
  await pass(1000)
  expect(told).toEqual([])
  setFailing(true)
  await come()
  setFailing(false)
  await pass(1000)
  expect(told).toEqual([[true, 2000]])
})

test('a server that does not lead judges nothing, and all anew once it does', async () => {
  const { openings, come, told, setLeads } = setUp()
  setLeads(false)
  await come()
  expect(told).toEqual([])
  setLeads(true)
  openings.begin([key])
  await openings.settled()
  expect(told).toEqual([[true, 0]])
})
