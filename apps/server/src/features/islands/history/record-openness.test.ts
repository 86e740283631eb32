import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import type { CachedIsland } from '../public/cached-islands.ts'
import { islandFacts } from '../testing/island-facts.ts'
import type { FoundState } from './island-history-store.ts'
import { recordOpenness } from './record-openness.ts'

const startMs = 1_000_000
const key = 1
const carrierKey = 7

const facts = islandFacts({
  key,
  carrier: { key: carrierKey, id: 'device', isPublic: false, flip: null },
})
const known: CachedIsland = {
  id: 'island',
  hostKey: 3,
  carrierKey,
  hasAddress: true,
  isRelayed: false,
  relayOpening: null,
  opening: { isOpen: true, isWatched: true, sinceMs: startMs - 500, pause: null },
}
const openedAt = (sinceMs: number) => ({ isOpen: true, sinceMs })

function setUp() {
  const clock = movableClock(startMs)
  const state = { facts, known, isUnheard: false, leads: true, isFailing: false }
  const noted: FoundState[] = []
  const recorder = recordOpenness({
    store: {
      note: async (found) => {
        if (state.isFailing) throw new Error('no database')
        noted.push(...found)
      },
    },
    islands: {
      loadAll: async function* () {
        yield [state.facts]
      },
      read: async (keys) => (keys.includes(key) ? [state.facts] : []),
    },
    find: (islandKey) => (islandKey === key ? state.known : undefined),
    isUnheard: () => state.isUnheard,
    clock: clock.now,
    leads: () => state.leads,
    rest: async () => undefined,
  })
  const look = async (cause: 'opened' | 'changed') => {
    noted.length = 0
    recorder.look(key, cause)
    await recorder.record()
    return noted.at(-1)
  }
  return { clock, state, noted, recorder, look }
}

test('[HI1] an island with neither a device nor a way in, or one that is paused, is not observed, any other is open or closed', async () => {
  const { state, look } = setUp()
  const kindOf = async (its: Partial<CachedIsland>) => {
    state.known = { ...known, ...its }
    return (await look('changed'))?.kind
  }
  const closed = { ...known.opening, isOpen: false }
  expect(await kindOf({})).toBe('open')
  expect(await kindOf({ opening: closed })).toBe('closed')
  expect(await kindOf({ carrierKey: null })).toBe('unobserved')
  const pause = { fromMs: startMs, untilMs: null, text: '' }
  expect(await kindOf({ opening: { ...closed, pause } })).toBe('unobserved')
  expect(await kindOf({ hasAddress: false, opening: closed })).toBe('unobserved')
  const relayed = { isRelayed: true, relayOpening: openedAt(1) }
  expect(await kindOf(relayed)).toBe('open')
  expect(await kindOf({ ...relayed, relayOpening: null, opening: closed })).toBe('unobserved')
  // An operator stopped the relay for it.
  expect(await kindOf({ ...relayed, hasAddress: false, opening: closed })).toBe('closed')
  state.isUnheard = true
  expect(await kindOf({ opening: closed })).toBe('unobserved')
})

test('[HI2] what opened did so when presence says, any other change is so from now on', async () => {
  const { clock, look, recorder, noted } = setUp()
  await recorder.record()
  // Nobody knows since when the device has carried it.
  expect(noted).toMatchObject([{ sinceMs: startMs - 500, firstMs: startMs }])
  clock.move(100)
  expect(await look('opened')).toMatchObject({ sinceMs: startMs - 500, firstMs: startMs - 500 })
  expect(await look('changed')).toMatchObject({ sinceMs: startMs + 100, firstMs: startMs + 100 })
})

test('[HI2] of both causes the change counts, whichever came first', async () => {
  const { look, recorder } = setUp()
  recorder.look(key, 'changed')
  expect(await look('opened')).toMatchObject({ sinceMs: startMs })
})

test('[HI2] whoever begins to lead looks at all, others at none', async () => {
  const { state, noted, recorder, look } = setUp()
  state.leads = false
  expect(await look('changed')).toBeUndefined()
  state.leads = true
  await recorder.record()
  expect(noted).toHaveLength(1)
  await recorder.record()
  expect(noted).toHaveLength(1)
  state.leads = false
  await recorder.record()
  state.leads = true
  await recorder.record()
  expect(noted).toHaveLength(2)
})

test('[HI2] what could not be written is written the next time, a change as a change', async () => {
  const { clock, state, noted, recorder } = setUp()
  await recorder.record()
  noted.length = 0
  state.isFailing = true
  recorder.look(key, 'changed')
  await expect(recorder.record()).rejects.toThrow('no database')
  expect(recorder.waitingCount()).toBe(1)
  recorder.look(key, 'opened')
  state.isFailing = false
  clock.move(1000)
  await recorder.record()
  expect(noted).toMatchObject([{ sinceMs: startMs + 1000 }])
  expect(recorder.waitingCount()).toBe(0)
})

test('[HI2] of one that opens and closes between two looks the second one finds what it is by then', async () => {
  const { clock, state, noted, recorder } = setUp()
  await recorder.record()
  noted.length = 0
  recorder.look(key, 'opened')
  clock.move(100)
  state.known = { ...known, opening: { ...known.opening, isOpen: false } }
  recorder.look(key, 'changed')
  clock.move(900)
  await recorder.record()
  expect(noted).toMatchObject([{ kind: 'closed', sinceMs: startMs + 1000 }])
})

test.each([
  ['a public island is known to all', {}, [true, true, true]],
  ['one for members to the signed in', { access: 'members' }, [true, true, false]],
  ['a listed one to all', { access: 'invited', isListed: true }, [true, true, true]],
  ['one for the invited to members', { access: 'invited' }, [true, false, false]],
  ['a draft to nobody', { publishedMs: null }, [false, false, false]],
  ['a hidden one to nobody', { hiddenMs: 1 }, [false, false, false]],
  ['one of a host turned off to nobody', { hostDisabledMs: 1 }, [false, false, false]],
] as const)('[HI4] %s', async (_, its, [members, users, everybody]) => {
  const { state, look } = setUp()
  state.facts = { ...facts, ...its }
  expect((await look('changed'))?.audience).toEqual({ members, users, everybody })
})
