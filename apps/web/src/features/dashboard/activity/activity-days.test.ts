import type { ActivityItem } from '@astropelago/contract/island-log'
import { expect, test } from 'vitest'
import { activityDays } from './activity-days.ts'

function flipAt(date: Date): ActivityItem {
  const at = date.toISOString()
  return { type: 'flip', id: at, at, device: { id: 'd', label: 'Rook' }, status: 'online' }
}

test('what happened stands in the days of its reader, whatever UTC’s day', () => {
  // Times without a zone are the machine's own, as a reader's are.
  const late = flipAt(new Date('2026-11-22T23:59:59'))
  const early = flipAt(new Date('2026-11-22T00:00:00'))
  const before = flipAt(new Date('2026-11-21T23:59:59'))
  expect(activityDays([late, early, before])).toEqual([
    { date: new Date('2026-11-22T00:00:00'), items: [late, early] },
    { date: new Date('2026-11-21T00:00:00'), items: [before] },
  ])
})
