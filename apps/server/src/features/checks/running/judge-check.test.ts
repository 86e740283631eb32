import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckState } from '../checks-store.ts'
import {
  dueMsOf,
  judgeProbe,
  judgeMissed,
  judgeReport,
  judgeUnseen,
  type PushTarget,
} from './judge-check.ts'

const key = 7
const blank: CheckState = {
  status: 'unobserved',
  sinceMs: 0,
  lookedMs: null,
  startedMs: null,
  dueMs: null,
  tookMs: null,
  failures: 0,
  note: null,
}
const up: CheckState = { ...blank, status: 'up', sinceMs: 100, lookedMs: 200, tookMs: 5 }
const failedOnce: CheckState = { ...up, failures: 1, note: 'Refused.' }
const down: CheckState = { ...blank, status: 'down', sinceMs: 300, lookedMs: 400, failures: 2 }
const answer = { isUp: true, tookMs: 12 } as const
const failure = { isUp: false, tookMs: null, note: 'Refused.' } as const
const seen = { atMs: 1000, isSeen: true }
const unseen = { atMs: 1000, isSeen: false }

describe('[C4] a look', () => {
  test.each([
    ['nothing is known', null, 'up'],
    ['it was up', up, null],
    ['it failed once', failedOnce, null],
    ['it was down', down, 'up'],
    ['it was unobserved', blank, 'up'],
  ] as const)('that is answered when %s makes it up', (_, state, event) => {
    const found = judgeProbe({ key, state }, answer, seen)
    expect(found.state).toMatchObject({
      status: 'up',
      sinceMs: event === null ? 100 : 1000,
      lookedMs: 1000,
      tookMs: 12,
      failures: 0,
      note: null,
    })
    expect(found.event).toEqual(event && { atMs: 1000, kind: event, note: null })
    expect(found.samples).toEqual([{ locationKey: 0, atMs: 1000, tookMs: 12 }])
  })

  test.each([
    ['nothing is known', null, 'unobserved', 1, null],
    ['it was unobserved', blank, 'unobserved', 1, null],
    ['it was up', up, 'up', 1, null],
    ['it failed once', failedOnce, 'down', 2, 'down'],
    ['it was down', down, 'down', 3, null],
  ] as const)('that fails when %s makes it %3$s', (_, state, status, failures, event) => {
    const found = judgeProbe({ key, state }, failure, seen)
    expect(found.state).toMatchObject({ status, failures, note: 'Refused.', lookedMs: 1000 })
    expect(found.event).toEqual(event && { atMs: 1000, kind: event, note: 'Refused.' })
    expect(found.samples).toEqual([{ locationKey: 0, atMs: 1000, tookMs: null }])
  })

  test.each([
    ['nothing is known', null, 'unobserved', null],
    ['it was up', up, 'unobserved', 'unobserved'],
    ['it failed once', failedOnce, 'unobserved', 'unobserved'],
    ['it was down', down, 'down', null],
  ] as const)('[C5] that fails unseen when %s tells nothing', (_, state, status, event) => {
    const found = judgeProbe({ key, state }, failure, unseen)
    expect(found.state).toMatchObject({ status, lookedMs: 1000 })
    expect(found.state.failures).toBe(state?.status === 'down' ? 2 : 0)
    expect(found.event).toEqual(event && { atMs: 1000, kind: event, note: null })
    expect(found.samples).toEqual([])
  })

  test('two flips in one millisecond have two times', () => {
    const first = judgeProbe({ key, state: down }, answer, seen)
    const second = judgeUnseen({ key, state: first.state }, 1000)
    const third = judgeProbe({ key, state: second.state }, answer, { ...seen, atMs: 999 })
    expect([first, second, third].map(({ event }) => event?.atMs)).toEqual([1000, 1001, 1002])
  })

  test('[C4] [C5] judges like a plain model, whatever comes', () => {
    const step = fc.constantFrom('answer', 'failure', 'unseen' as const)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state: CheckState | null = null
        for (const [number, one] of steps.entries()) {
          const before: CheckState['status'] = state?.status ?? 'unobserved'
          const result = one === 'answer' ? answer : failure
          const atMs = (number + 1) * 1000
          const found = judgeProbe({ key, state }, result, { atMs, isSeen: one !== 'unseen' })
          state = found.state
          const past = steps.slice(0, number + 1)
          const expected =
            one === 'answer'
              ? 'up'
              : past.at(-1) === 'failure' && past.at(-2) === 'failure'
                ? 'down'
                : one === 'unseen' && before !== 'down'
                  ? 'unobserved'
                  : before
          expect(state.status).toBe(expected)
          const { sinceMs, note } = state
          const event = expected === before ? null : { atMs: sinceMs, kind: expected, note }
          expect(found.event).toEqual(event)
        }
      }),
    )
  })
})

describe('[C6] a report', () => {
  const target: PushTarget = { kind: 'push', periodS: 60, graceS: 30 }
  const said = { note: null, tookMs: null }
  const judge = (state: CheckState | null, kind: 'ok' | 'fail' | 'start' | 'log', more = {}) =>
    judgeReport({ key, target, state }, { kind, ...said, ...more }, 1000)

  test('that all is well makes it up until its period and grace have passed', () => {
    const found = judge(null, 'ok')
    expect(found.state).toMatchObject({ status: 'up', sinceMs: 1000, dueMs: 91_000 })
    expect(found.event).toEqual({ atMs: 1000, kind: 'up', note: null })
    expect(found.samples).toEqual([])
    expect(dueMsOf(found.state, target)).toBe(91_000)
  })

  test('by a cron expression, is due after the next of its times and the grace', () => {
    const cron = { expression: '30 4 * * *', timeZone: 'Europe/Berlin' }
    const nightly: PushTarget = { kind: 'push', periodS: 60, cron, graceS: 600 }
    const judgeAt = (time: string) => {
      const report = { kind: 'ok', ...said } as const
      return judgeReport({ key, target: nightly, state: null }, report, Date.parse(time)).state
    }
    // Clocks are set forward in the night of 29 March 2026.
    expect(judgeAt('2026-03-28T03:31:00Z').dueMs).toBe(Date.parse('2026-03-29T02:40:00Z'))
    // Half a minute too early counts for that time, and more does not.
    expect(judgeAt('2026-03-29T02:29:31Z').dueMs).toBe(Date.parse('2026-03-30T02:40:00Z'))
    const early = judgeAt('2026-03-29T02:29:00Z')
    expect(early.dueMs).toBe(Date.parse('2026-03-29T02:40:00Z'))
    expect(dueMsOf(early, nightly)).toBe(early.dueMs)
  })

  test('of a failure makes it down at once', () => {
    const found = judge({ ...up, dueMs: 5000 }, 'fail', { note: 'No disk.' })
    expect(found.state).toMatchObject({ status: 'down', dueMs: null, note: 'No disk.' })
    expect(found.event).toEqual({ atMs: 1000, kind: 'down', note: 'No disk.' })
    expect(found.samples).toEqual([{ locationKey: 0, atMs: 1000, tookMs: null }])
    expect(judge(up, 'fail').state.note).toBe('It reported a failure.')
    expect(dueMsOf(found.state, target)).toBeNull()
  })

  test('of a start is no report, and gives the next one its duration', () => {
    const started = judge(up, 'start')
    expect(started).toMatchObject({ event: null, state: { lookedMs: 200, startedMs: 1000 } })
    const ended = judgeReport(
      { key, target, state: started.state },
      { kind: 'ok', ...said },
      31_000,
    )
    expect(ended.state).toMatchObject({ startedMs: null, tookMs: 30_000 })
    expect(ended.samples).toEqual([{ locationKey: 0, atMs: 31_000, tookMs: 30_000 }])
    const days = judgeReport(
      { key, target, state: started.state },
      { kind: 'ok', ...said },
      1000 + 73 * 3_600_000,
    )
    expect(days.state.tookMs).toBeNull()
  })

  test('with its own duration keeps that', () => {
    const found = judge({ ...up, startedMs: 1 }, 'ok', { tookMs: 42 })
    expect(found.state.tookMs).toBe(42)
  })

  test('of a text keeps all but the note', () => {
    const found = judge({ ...up, startedMs: 1 }, 'log', { note: 'Half done.' })
    expect(found.state).toEqual({ ...up, startedMs: 1, note: 'Half done.' })
  })

  test('that does not come makes it down from its deadline on', () => {
    const found = judgeMissed({ key, state: up }, 90_200)
    expect(found.event).toEqual({ atMs: 90_200, kind: 'down', note: 'No report came in time.' })
    expect(found.state).toMatchObject({ status: 'down', sinceMs: 90_200, lookedMs: 200 })
  })
})
