import { defaultAlertRules } from '@astropelago/contract/alert-rules'
import { expect, test } from 'vitest'
import { afterChange, dueMs, alertMs, type SubjectItems } from './outages.ts'

const windowMs = 300_000
const thing = { userKey: 3, of: 'device', key: 1 } as const
const due = (
  rules: Partial<typeof defaultAlertRules> = {},
  unobserved = [] as Span[],
  maintenance = [] as Span[],
) => ({
  rules: { ...defaultAlertRules, ...rules },
  unobserved,
  maintenance,
  windowMs,
})
type Span = { readonly fromMs: number; readonly toMs: number }

/** Stored state of a thing that goes away and comes back in turns. */
function flipped(times: readonly number[], rules: ReturnType<typeof due>): SubjectItems {
  return times.reduce<SubjectItems>(
    (items, atMs, at) => afterChange(items, { thing, isAway: at % 2 === 0, atMs }, rules),
    {},
  )
}

test('[N2] a recovery within the grace sends no message, and one at its end does', () => {
  const rules = due({ graceS: 60 })
  expect(flipped([1000], rules)).toMatchObject({ away: { sinceMs: 1000, toldMs: null } })
  expect(flipped([1000, 60_999], rules)).toEqual({})
  expect(flipped([1000, 61_000], rules)).toMatchObject({
    over: { sinceMs: 1000, endedMs: 61_000, times: 1 },
  })
})

test.each([
  ['before it', { fromMs: 0, toMs: 1000 }, 61_000],
  ['after its end', { fromMs: 61_000, toMs: 900_000 }, 61_000],
  ['of a restart', { fromMs: 11_000, toMs: 16_000 }, 66_000],
  ['of a restart at its end', { fromMs: 60_000, toMs: 65_000 }, 70_000],
  ['of an hour', { fromMs: 11_000, toMs: 3_611_000 }, 3_661_000 + 250_000],
  ['that began before it', { fromMs: 0, toMs: 101_000 }, 201_000],
])('[N3] a time without a server %s moves the end of the grace', (_, outage, expected) => {
  expect(dueMs(1000, due({ graceS: 60 }, [outage]))).toBe(expected)
})

test('[N3] without a grace nothing is moved: it went offline before', () => {
  expect(dueMs(1000, due({}, [{ fromMs: 1000, toMs: 900_000 }]))).toBe(1000)
})

test('[N4] a recovery is in a message only after or with its outage', () => {
  expect(afterChange({}, { thing, isAway: false, atMs: 5 }, due())).toEqual({})
  const told = { ...thing, sinceMs: 1, endedMs: null, times: 1, toldMs: 2 }
  const back = { thing, isAway: false, atMs: 9 }
  expect(afterChange({ away: told }, back, due())).toEqual({ over: { ...told, endedMs: 9 } })
  expect(afterChange({ away: told }, back, due({ tellsOnline: false }))).toEqual({})
})

test('[N29] while a check is unobserved, an outage that was sent goes on, and another one is forgotten', () => {
  const check = { userKey: 3, of: 'check', key: 1 } as const
  const away = { ...check, sinceMs: 1, endedMs: null, times: 1, toldMs: null }
  const unobserved = { thing: check, isAway: null, atMs: 9 }
  expect(afterChange({ away }, unobserved, due())).toEqual({})
  const told = { ...away, toldMs: 2 }
  expect(afterChange({ away: told }, unobserved, due())).toEqual({ away: told })
  const island = { ...unobserved, thing: { ...check, of: 'island' } } as const
  expect(afterChange({ away: told }, island, due())).toEqual({})
})

test('[N5] an outage continues if the device is down again before a message about its recovery', () => {
  const over = { ...thing, sinceMs: 1, endedMs: 9, times: 1, toldMs: 2 }
  const away = { thing, isAway: true, atMs: 11 }
  expect(afterChange({ over }, away, due())).toEqual({ away: { ...over, endedMs: null } })
})

test('[N5] recoveries that wait for a message become one', () => {
  expect(flipped([10, 20, 30, 40, 50, 60], due())).toEqual({
    over: { ...thing, sinceMs: 10, endedMs: 60, times: 3, toldMs: null },
  })
})

test('[N9] an alert repeats every so many hours, or never', () => {
  const away = { ...thing, sinceMs: 1, endedMs: null, times: 1, toldMs: 5 }
  expect(alertMs(away, due())).toBeNull()
  expect(alertMs(away, due({ repeatHours: 2 }))).toBe(5 + 7_200_000)
})

test.each([
  ['it went away in it', { fromMs: 500, toMs: 100_000 }, 160_000],
  ['it began before the grace was over', { fromMs: 61_000, toMs: 100_000 }, 160_000],
  ['it was over before', { fromMs: 0, toMs: 1000 }, 61_000],
  ['it began after the grace was over', { fromMs: 61_001, toMs: 100_000 }, 61_000],
])('[N16] where %s a grace ends at %j', (_, maintenance, expected) => {
  expect(dueMs(1000, due({ graceS: 60 }, [], [maintenance]))).toBe(expected)
})

test('[N16] the grace begins at the end of the last of several overlapping maintenances', () => {
  const spans = [
    { fromMs: 150_000, toMs: 200_000 },
    { fromMs: 500, toMs: 100_000 },
  ]
  expect(dueMs(1000, due({ graceS: 60 }, [], spans))).toBe(260_000)
})

test('[N16] no alert repeats during maintenance, and a recovery by its end leaves no outage', () => {
  const rules = due({ repeatHours: 1 }, [], [{ fromMs: 5000, toMs: 9_000_000 }])
  expect(alertMs({ ...thing, sinceMs: 1, endedMs: null, times: 1, toldMs: 2 }, rules)).toBe(
    9_000_000,
  )
  expect(flipped([6000, 8_999_999], rules)).toEqual({})
  expect(flipped([6000, 9_000_000], rules)).toMatchObject({ over: { sinceMs: 6000 } })
})
