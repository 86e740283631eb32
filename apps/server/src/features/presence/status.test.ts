import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deadlineMs, statusAt, type Outage } from './status.ts'

const windowMs = 300_000
const noOutages = { windowMs, outages: [] }

describe('status', () => {
  test('[P1] a device that never reported is unknown', () => {
    expect(statusAt(5, null, noOutages)).toBe('unknown')
  })

  test('[P1] a device is online up to its deadline and offline from then on', () => {
    expect(statusAt(1000, 1000, noOutages)).toBe('online')
    expect(statusAt(1000 + windowMs - 1, 1000, noOutages)).toBe('online')
    expect(statusAt(1000 + windowMs, 1000, noOutages)).toBe('offline')
  })
})

describe('deadline', () => {
  const outage = { fromMs: 100_000, toMs: 900_000 }
  const rules = { windowMs, outages: [outage] }

  test('[P5] an outage before the deadline moves it to the end of the outage plus a window', () => {
    expect(deadlineMs(50_000, rules)).toBe(outage.toMs + windowMs)
  })

  test('[P5] a deadline that passed before the outage stands', () => {
    expect(deadlineMs(outage.fromMs - windowMs, rules)).toBe(outage.fromMs)
  })

  test('[P5] an outage does not affect a heartbeat after it', () => {
    expect(deadlineMs(outage.toMs, rules)).toBe(outage.toMs + windowMs)
  })

  test('[P5] a second outage within the window granted by the first moves the deadline again', () => {
    const second = { fromMs: outage.toMs + 1, toMs: outage.toMs + 500_000 }
    expect(deadlineMs(50_000, { windowMs, outages: [outage, second] })).toBe(second.toMs + windowMs)
  })

  const outages = fc
    .array(fc.tuple(fc.nat(2_000_000), fc.nat(500_000)), { maxLength: 5 })
    .map((spans) =>
      spans
        .map(([fromMs, lengthMs]): Outage => ({ fromMs, toMs: fromMs + lengthMs }))
        .toSorted((a, b) => a.fromMs - b.fromMs),
    )

  test('[P1] a later heartbeat never has an earlier deadline', () => {
    fc.assert(
      fc.property(outages, fc.nat(2_000_000), fc.nat(100_000), (spans, seenMs, laterByMs) => {
        const given = { windowMs, outages: spans }
        expect(deadlineMs(seenMs + laterByMs, given)).toBeGreaterThanOrEqual(
          deadlineMs(seenMs, given),
        )
      }),
    )
  })

  test('[P5] no device goes offline during an outage or within a window of its end', () => {
    fc.assert(
      fc.property(outages, fc.nat(2_000_000), (spans, seenMs) => {
        const deadline = deadlineMs(seenMs, { windowMs, outages: spans })
        for (const { fromMs, toMs } of spans) {
          if (toMs <= seenMs || toMs === fromMs) continue
          expect(deadline <= fromMs || deadline >= toMs + windowMs).toBe(true)
        }
      }),
    )
  })
})
