import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconnectDelayMs } from './reconnect-delay.ts'

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('the wait is any share of a bound that begins at 1 s, doubles, and ends at 30 s', () => {
  fc.assert(
    fc.property(fc.nat(5000), share, (failures, random) => {
      const boundMs = failures < 5 ? [1, 2, 4, 8, 16][failures] : 30
      expect(reconnectDelayMs(failures, () => random)).toBeCloseTo(random * 1000 * (boundMs ?? 0))
    }),
  )
})
