import { expect, test } from 'vitest'
import { deviceWords, drawnDays, uptimeOf } from './history-days.ts'
import { dayText, daysText, duration, spansText } from './history-words.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const day = { day: '2026-03-01', upS: 0, downS: 0, unobservedS: 0, flips: 0 }

test('a drawing has all its days, including those before the history, oldest first', () => {
  const days = drawnDays([{ ...day, day: '2026-02-28', upS: 5 }, day], 3, noon)
  expect(days.map(({ day: name, seen }) => [name, seen?.upS])).toEqual([
    ['2026-02-27', undefined],
    ['2026-02-28', 5],
    ['2026-03-01', 0],
  ])
})

test('a day that has begun only on the server is included', () => {
  const late = { ...day, day: '2026-03-02' }
  expect(drawnDays([late], 2, noon).at(-1)).toEqual({ day: '2026-03-02', seen: late })
})

test('uptime counts only observed time', () => {
  expect(uptimeOf({ upS: 75, downS: 25 })).toBe(0.75)
  expect(uptimeOf({ upS: 0, downS: 0 })).toBeNull()
})

test.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [7500, '2 h 5 min'],
  [86_400, '1 d'],
  [90_061, '1 d 1 h'],
])('%d s are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

test('a day says how much of it was up, down and not observed', () => {
  const seen = { ...day, upS: 3000, downS: 1000, unobservedS: 60, flips: 2 }
  expect(dayText({ seen }, deviceWords)).toBe(
    '75% online, offline 16 min 40 s, not observed 1 min, 2 changes',
  )
  expect(dayText({ seen: { ...day, unobservedS: 60 } }, deviceWords)).toBe('Not observed 1 min')
  expect(dayText({ seen: undefined }, deviceWords)).toBe('Nothing known')
  expect(daysText([], deviceWords)).toBe('Nothing known')
  expect(daysText([seen, { ...seen, flips: 0 }], deviceWords)).toBe(
    '75% online, offline 33 min 20 s, not observed 2 min, 2 changes',
  )
})

const at = (minute: number) => new Date(noon + minute * 60_000).toISOString()

test('spans say how long each state lasted', () => {
  expect(
    spansText(
      [
        { from: at(0), to: at(60), state: 'up' },
        { from: at(60), to: at(65), state: 'down' },
        { from: at(65), to: at(70), state: 'unobserved' },
        { from: at(70), to: at(100), state: 'up' },
      ],
      deviceWords,
    ),
  ).toBe('Online 1 h 30 min, offline 5 min, not observed 5 min')
})
