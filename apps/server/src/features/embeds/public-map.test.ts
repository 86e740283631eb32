import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import type { ListedDevice } from '../devices/public.ts'
import { geoJson, meshviewer, type MapFormat } from './map-format.ts'
import { createMapTurns, PublicMap } from './public-map.ts'

const device = (id: string, changes: Partial<ListedDevice> = {}): ListedDevice => ({
  id,
  label: `Device ${id}`,
  lat: 1,
  lon: 2,
  status: 'online',
  link: null,
  publicSinceMs: 0,
  lastSeenMs: 0,
  ...changes,
})

function setUp({ format = geoJson('') }: { readonly format?: MapFormat } = {}) {
  const clock = movableClock()
  let devices = [device('a'), device('b')]
  let sequence = 1
  let makings = 0
  /** Reading devices waits for this. */
  let gate: Promise<unknown> = Promise.resolve()
  const rests: number[] = []
  const turns = createMapTurns({
    clock: clock.now,
    rest: async (ms) => {
      rests.push(ms)
      clock.move(ms)
    },
  })
  const mapOf = (itsFormat: MapFormat) =>
    new PublicMap({
      format: itsFormat,
      clock: clock.now,
      turns,
      read: async function* () {
        makings += 1
        const read = devices
        await gate
        yield read.slice(0, 1)
        yield read.slice(1)
      },
      changes: {
        sealed: async () => `x-${sequence}`,
        isCurrent: (of) => of === `x-${sequence}`,
      },
    })
  const map = mapOf(format)
  const json = async (got = map.get()) => JSON.parse(String(gunzipSync((await got).gzip)))
  return {
    map,
    mapOf,
    clock,
    rests,
    json,
    ids: async (got = map.get()) =>
      (await json(got)).features.map((feature: { id: string }) => feature.id),
    makings: () => makings,
    change: (changed: readonly ListedDevice[]) => {
      devices = [...changed]
      sequence += 1
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

test('EM8 after a change it is made once more, on the first request after its interval', async () => {
  const { map, clock, ids, makings, change } = setUp()
  const all = ['a', 'b']
  expect(await Promise.all([ids(), ids(), ids()])).toEqual([all, all, all])
  change([device('a')])
  clock.move(4999)
  expect([await ids(), makings()]).toEqual([['a', 'b'], 1])
  clock.move(1)
  expect([await ids(), makings()]).toEqual([['a'], 2])
  const { etag } = await map.get()
  clock.move(86_400_000)
  expect([(await map.get()).etag, makings()]).toEqual([etag, 2])
})

test('a map that contains its time is made again each minute', async () => {
  const { map, clock, makings } = setUp({ format: meshviewer })
  const { etag } = await map.get()
  clock.move(59_999)
  expect((await map.get()).etag).toBe(etag)
  clock.move(1)
  expect((await map.get()).etag).not.toBe(etag)
  expect(makings()).toBe(2)
})

test('EM8 later requests never get what was withdrawn', async () => {
  const { map, ids, change } = setUp()
  expect(await ids()).toEqual(['a', 'b'])
  change([device('b')])
  map.withdraw()
  expect(await ids()).toEqual(['b'])
})

test('EM8 a request after a withdrawal waits for the next map, also while one is being made', async () => {
  const { map, ids, makings, change, hold } = setUp()
  const goOn = hold()
  const before = ids()
  await expect.poll(makings).toBe(1)
  change([device('b')])
  map.withdraw()
  const after = ids()
  goOn()
  expect(await before).toEqual(['a', 'b'])
  expect(await after).toEqual(['b'])
  expect(makings()).toBe(2)
})

test('EM8 repeated withdrawals make maps one at a time, in a quarter of the time at most', async () => {
  const { map, mapOf, clock, rests, makings, hold } = setUp()
  const other = mapOf(meshviewer)
  const goOn = hold()
  const first = map.get()
  const second = other.get()
  await expect.poll(makings).toBe(1)
  clock.move(1000)
  const goOnAgain = hold()
  goOn()
  await first
  await expect.poll(makings).toBe(2)
  expect(rests).toEqual([3000])
  clock.move(500)
  goOnAgain()
  await second
  map.withdraw()
  await map.get()
  expect(rests).toEqual([3000, 1500])
})

test('after a failure the next request makes the map', async () => {
  const clock = movableClock()
  let fails = true
  const map = new PublicMap({
    format: geoJson(''),
    clock: clock.now,
    turns: createMapTurns({ clock: clock.now }),
    read: async function* () {
      if (fails) throw new Error('gone')
      yield [device('a')]
    },
    changes: { sealed: async () => 'x-1', isCurrent: () => true },
  })
  await expect(map.get()).rejects.toThrow('gone')
  fails = false
  expect(gunzipSync((await map.get()).gzip).toString()).toContain('"a"')
})
