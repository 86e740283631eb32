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
  carrier: { key: carrierKey, id: 'device', isPublic: false, isShared: false, flip: null },
})
const cached: CachedIsland = {
  id: 'island',
  hostKey: 3,
  carrierKey,
  hasAddress: true,
  isRelayed: false,
  isHosted: false,
  pages: null,
  relayOpening: null,
  check: null,
  opening: { isOpen: true, isWatched: true, sinceMs: startMs - 500, pause: null },
}
const openedAt = (sinceMs: number) => ({ isOpen: true, sinceMs })

function setUp() {
  const clock = movableClock(startMs)
  const state = { facts, cached, hasNeverReported: false, leads: true, isFailing: false }
  const recorded: FoundState[] = []
  const recorder = recordOpenness({
    store: {
      record: async (found) => {
        if (state.isFailing) throw new Error('no database')
        recorded.push(...found)
      },
    },
    islands: {
      loadAll: async function* () {
        yield [state.facts]
      },
      read: async (keys) => (keys.includes(key) ? [state.facts] : []),
    },
    cached: { find: (islandKey) => (islandKey === key ? state.cached : undefined) },
    presence: { status: () => (state.hasNeverReported ? 'unknown' : 'online') },
    clock: clock.now,
    cluster: { leads: () => state.leads },
    rest: async () => undefined,
  })
  const recordOne = async (cause: 'opened' | 'changed') => {
    recorded.length = 0
    recorder.add(key, cause)
    await recorder.record()
    return recorded.at(-1)
  }
  return { clock, state, recorded, recorder, recordOne }
}

test('[HI1] an island without a device or a way in, or in a pause, is not observed; any other is open or closed', async () => {
  const { state, recordOne } = setUp()
  const kindOf = async (its: Partial<CachedIsland>) => {
    state.cached = { ...cached, ...its }
    return (await recordOne('changed'))?.kind
  }
  const closed = { ...cached.opening, isOpen: false }
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
  const hosted = {
    isHosted: true,
    carrierKey: null,
    pages: { key: 1, sinceMs: 1 },
  }
  expect(await kindOf(hosted)).toBe('open')
  expect(await kindOf({ ...hosted, hasAddress: false, opening: closed })).toBe('closed')
  expect(await kindOf({ ...hosted, pages: null, opening: closed })).toBe('unobserved')
  expect(await kindOf({ ...hosted, opening: { ...closed, pause } })).toBe('unobserved')
  state.hasNeverReported = true
  expect(await kindOf({ opening: closed })).toBe('unobserved')
})

test('[HI2] an opening counts from when presence says, any other change from now', async () => {
  const { clock, recordOne, recorder, recorded } = setUp()
  await recorder.record()
  // Nobody knows since when the device has carried it.
  expect(recorded).toMatchObject([{ sinceMs: startMs - 500, firstMs: startMs }])
  clock.move(100)
  expect(await recordOne('opened')).toMatchObject({
    sinceMs: startMs - 500,
    firstMs: startMs - 500,
  })
  expect(await recordOne('changed')).toMatchObject({
    sinceMs: startMs + 100,
    firstMs: startMs + 100,
  })
})

test('[HI2] a change outweighs an opening, whichever came first', async () => {
  const { recordOne, recorder } = setUp()
  recorder.add(key, 'changed')
  expect(await recordOne('opened')).toMatchObject({ sinceMs: startMs })
})

test('[HI2] a server that begins to lead records all islands, the others none', async () => {
  const { state, recorded, recorder, recordOne } = setUp()
  state.leads = false
  expect(await recordOne('changed')).toBeUndefined()
  state.leads = true
  await recorder.record()
  expect(recorded).toHaveLength(1)
  await recorder.record()
  expect(recorded).toHaveLength(1)
  state.leads = false
  await recorder.record()
  state.leads = true
  await recorder.record()
  expect(recorded).toHaveLength(2)
})

test('[HI2] the next call writes what could not be written, with its cause', async () => {
  const { clock, state, recorded, recorder } = setUp()
  await recorder.record()
  recorded.length = 0
  state.isFailing = true
  recorder.add(key, 'changed')
  await expect(recorder.record()).rejects.toThrow('no database')
  expect(recorder.waitingCount()).toBe(1)
  recorder.add(key, 'opened')
  state.isFailing = false
  clock.move(1000)
  await recorder.record()
  expect(recorded).toMatchObject([{ sinceMs: startMs + 1000 }])
  expect(recorder.waitingCount()).toBe(0)
})

test('[HI2] an island that opens and closes between two calls is recorded as it is at the second', async () => {
  const { clock, state, recorded, recorder } = setUp()
  await recorder.record()
  recorded.length = 0
  recorder.add(key, 'opened')
  clock.move(100)
  state.cached = { ...cached, opening: { ...cached.opening, isOpen: false } }
  recorder.add(key, 'changed')
  clock.move(900)
  await recorder.record()
  expect(recorded).toMatchObject([{ kind: 'closed', sinceMs: startMs + 1000 }])
})

test.each([
  ['everybody may see a public island', {}, [true, true, true]],
  ['signed-in users may see one for members', { access: 'members' }, [true, true, false]],
  ['everybody may see a listed one', { access: 'invited', isListed: true }, [true, true, true]],
  ['members may see one for the invited', { access: 'invited' }, [true, false, false]],
  ['nobody may see a draft', { publishedMs: null }, [false, false, false]],
  ['nobody may see a hidden one', { hiddenMs: 1 }, [false, false, false]],
  ['nobody may see one whose host is disabled', { hostDisabledMs: 1 }, [false, false, false]],
] as const)('[HI4] %s', async (_, its, [members, users, everybody]) => {
  const { state, recordOne } = setUp()
  state.facts = { ...facts, ...its }
  expect((await recordOne('changed'))?.audience).toEqual({ members, users, everybody })
})
