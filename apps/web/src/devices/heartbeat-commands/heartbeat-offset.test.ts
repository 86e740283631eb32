import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { heartbeatOffsetSeconds } from './heartbeat-offset.ts'

test('an id always has the same whole second from 0 to 109', () => {
  fc.assert(
    fc.property(fc.uuid(), (deviceId) => {
      const offset = heartbeatOffsetSeconds(deviceId)
      expect(Number.isInteger(offset)).toBe(true)
      expect(offset).toBeGreaterThanOrEqual(0)
      expect(offset).toBeLessThan(110)
      expect(heartbeatOffsetSeconds(deviceId)).toBe(offset)
    }),
  )
})

test('ids spread over all seconds, and no second gets twice its share', () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 11_000; index += 1) {
    const offset = heartbeatOffsetSeconds(
      `3f1c9a52-77d0-4c1e-9b35-${String(index).padStart(12, '0')}`,
    )
    counts.set(offset, (counts.get(offset) ?? 0) + 1)
  }
  expect(counts.size).toBe(110)
  expect(Math.max(...counts.values())).toBeLessThan(200)
})
