import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dayMs,
  daysOf,
  secondsOf,
  seenSpans,
  shareOf,
  totalsOf,
  type Change,
  type Seen,
} from './time-spans.ts'

const change = (atMs: number, state: Seen): Change => ({ atMs, state })

test('[H2] what could not be observed is neither up nor down, whatever was before and after', () => {
  const spans = seenSpans({
    before: 'unseen',
    changes: [change(10, 'up'), change(35, 'down')],
    unobserved: [
      { fromMs: 20, toMs: 30 },
      { fromMs: 33, toMs: 36 },
    ],
    fromMs: 0,
    toMs: 50,
  })
  expect(spans.map(({ fromMs, state }) => [fromMs, state])).toEqual([
    [0, 'unseen'],
    [10, 'up'],
    [20, 'unseen'],
    [30, 'up'],
    [33, 'unseen'],
    [36, 'down'],
  ])
  expect(totalsOf(spans, { fromMs: 0, toMs: 50 })).toEqual({ upMs: 13, downMs: 14, unseenMs: 23 })
})

test('a day in UTC ends with it, and counts a flip where it was', () => {
  const changes = [change(dayMs - 1000, 'up'), change(dayMs + 2000, 'down')]
  const span = { fromMs: dayMs - 3000, toMs: 3 * dayMs }
  const days = daysOf(seenSpans({ before: 'unseen', changes, unobserved: [], ...span }), changes)
  expect(days).toEqual([
    { startMs: 0, upMs: 1000, downMs: 0, unseenMs: 2000, flips: 1, last: 'up' },
    { startMs: dayMs, upMs: 2000, downMs: dayMs - 2000, unseenMs: 0, flips: 1, last: 'down' },
    { startMs: 2 * dayMs, upMs: 0, downMs: dayMs, unseenMs: 0, flips: 0, last: 'down' },
  ])
})

test('[H4] uptime is of observed time alone, and there is none without any', () => {
  expect(shareOf({ upMs: 30, downMs: 10, unseenMs: 60 }, 100)).toEqual({
    uptime: 0.75,
    observed: 0.4,
  })
  expect(shareOf({ upMs: 0, downMs: 0, unseenMs: 100 }, 100)).toEqual({ uptime: null, observed: 0 })
})

const states = fc.constantFrom<Seen>('up', 'down', 'unseen')

test('spans are those that asking for each moment finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ atMs: fc.nat(100), state: states }), { maxLength: 12 }),
      fc.array(fc.record({ fromMs: fc.nat(100), forMs: fc.nat(20) }), { maxLength: 5 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 50 }),
      states,
      (found, outages, fromMs, forMs, before) => {
        const changes = found.toSorted((a, b) => a.atMs - b.atMs)
        const unobserved = outages
          .map((outage) => ({ fromMs: outage.fromMs, toMs: outage.fromMs + outage.forMs }))
          .toSorted((a, b) => a.fromMs - b.fromMs)
          .filter((outage, i, all) => all.slice(0, i).every(({ toMs }) => toMs < outage.fromMs))
        const toMs = fromMs + forMs
        const stateAt = (atMs: number): Seen =>
          unobserved.some((outage) => outage.fromMs <= atMs && atMs < outage.toMs)
            ? 'unseen'
            : (changes.findLast((one) => one.atMs <= atMs)?.state ?? before)
        const spans = seenSpans({ before, changes, unobserved, fromMs, toMs })
        const told = spans.flatMap((span) =>
          Array.from({ length: span.toMs - span.fromMs }, (_, i) => [span.fromMs + i, span.state]),
        )
        expect(told).toEqual(
          Array.from({ length: forMs }, (_, i) => [fromMs + i, stateAt(fromMs + i)]),
        )
        expect(spans.some(({ state }, i) => spans[i + 1]?.state === state)).toBe(false)
      },
    ),
  )
})

test('seconds of a day add up to the day', () => {
  fc.assert(
    fc.property(fc.nat(dayMs), fc.nat(dayMs), (one, other) => {
      const [upMs = 0, seenMs = 0] = [one, other].toSorted((a, b) => a - b)
      const seconds = secondsOf({ upMs, downMs: seenMs - upMs, unseenMs: dayMs - seenMs })
      expect(seconds.up + seconds.down + seconds.unseen).toBe(86_400)
      expect(Math.min(...Object.values(seconds))).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('what was seen for less than a second is told as one, from the first moment on', () => {
  const unseenMs = dayMs - 300
  expect(secondsOf({ upMs: 300, downMs: 0, unseenMs })).toEqual({ up: 1, down: 0, unseen: 86_399 })
  expect(secondsOf({ upMs: 0, downMs: 300, unseenMs })).toEqual({ up: 0, down: 1, unseen: 86_399 })
  expect(secondsOf({ upMs: 300, downMs: 0, unseenMs: 0 })).toEqual({ up: 1, down: 0, unseen: 0 })
  expect(secondsOf({ upMs: 0, downMs: 0, unseenMs: 300 })).toEqual({ up: 0, down: 0, unseen: 0 })
})
