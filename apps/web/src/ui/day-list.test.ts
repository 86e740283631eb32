import { expect, test } from 'vitest'
import { inDays } from './day-list.tsx'

test('events are grouped by the reader’s day, not by UTC’s', () => {
  // Times without a zone are in the machine's time zone, like a reader's.
  const late = happenedAt('2026-11-22T23:59:59')
  const early = happenedAt('2026-11-22T00:00:00')
  const before = happenedAt('2026-11-21T23:59:59')
  expect(inDays([late, early, before])).toEqual([
    { date: new Date('2026-11-22T00:00:00'), items: [late, early] },
    { date: new Date('2026-11-21T00:00:00'), items: [before] },
  ])
})

function happenedAt(time: string) {
  return { at: new Date(time).toISOString() }
}
