import type { ActivityItem } from '@astropelago/contract/island-log'

interface ActivityDay {
  /** Its midnight, where it is read. */
  readonly date: Date
  readonly items: readonly ActivityItem[]
}

/** What happened, in the days of its reader's time zone; the order stays. */
export function activityDays(items: readonly ActivityItem[]): readonly ActivityDay[] {
  const byDay = Map.groupBy(items, ({ at }) => new Date(at).setHours(0, 0, 0, 0))
  return [...byDay].map(([dayMs, happened]) => ({ date: new Date(dayMs), items: happened }))
}
