import { expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { readHistory } from './read-history.ts'

const noonMs = Date.UTC(2026, 0, 31, 12)
const device = { deviceKey: 1, visibleFromMs: 0 }

/** Reads from a store that counts reads. */
function setUp() {
  const clock = movableClock(noonMs)
  const reads = { devices: [] as number[], outages: 0 }
  const storage = { isGone: false }
  const history = readHistory({
    store: {
      read: async (deviceKey) => {
        reads.devices.push(deviceKey)
        if (storage.isGone) throw new Error('no database')
        return { days: [], flips: [{ status: 'online', atMs: noonMs - dayMs }] }
      },
      readOwn: async () => [],
      unobserved: async () => {
        reads.outages += 1
        if (storage.isGone) throw new Error('no database')
        return []
      },
    },
    clock: clock.now,
    presence: { present: () => ({ status: 'online', unrecordedMs: 0 }) },
  })
  return { clock, reads, storage, history }
}

test('a device’s record is read once in 5 seconds, and answers extend to now', async () => {
  const { clock, reads, history } = setUp()
  const asked = await Promise.all([history.of(device), history.of(device)])
  expect(asked[0].share(2 * dayMs).observed).toBe(0.5)
  clock.move(4999)
  const later = await history.of(device)
  expect(later.spans(dayMs).at(-1)?.toMs).toBe(noonMs + 4999)
  expect(reads).toEqual({ devices: [1], outages: 1 })
  clock.move(1)
  await history.of(device)
  expect(reads).toEqual({ devices: [1, 1], outages: 2 })
})

test('it is read again after a flip, for a reader who sees another time, and on the next day', async () => {
  const { clock, reads, history } = setUp()
  clock.move(dayMs / 2 - 1)
  await Promise.all([history.of(device), history.of({ ...device, deviceKey: 2 })])
  history.forget([1])
  await history.of(device)
  await history.of({ ...device, deviceKey: 2 })
  expect(reads.devices).toEqual([1, 2, 1])
  await history.of({ ...device, visibleFromMs: noonMs })
  expect(reads.devices).toEqual([1, 2, 1, 1])
  clock.move(1)
  await history.of({ ...device, visibleFromMs: noonMs })
  expect(reads).toEqual({ devices: [1, 2, 1, 1, 1], outages: 2 })
})

test('S44 a failed read is not cached', async () => {
  const { reads, storage, history } = setUp()
  storage.isGone = true
  await expect(history.of(device)).rejects.toThrow('no database')
  await expect(history.readUnobserved()).rejects.toThrow('no database')
  storage.isGone = false
  expect((await history.of(device)).firstMs).toBe(noonMs - dayMs)
  expect(reads.devices).toEqual([1, 1])
})
