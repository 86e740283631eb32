interface Day<Item> {
  /** Midnight in the reader's time zone. */
  readonly date: Date
  readonly items: readonly Item[]
}

/** Groups events by day in the reader's time zone, and keeps their order. */
export function inDays<Item extends { readonly at: string }>(
  items: readonly Item[],
): readonly Day<Item>[] {
  const byDay = Map.groupBy(items, ({ at }) => new Date(at).setHours(0, 0, 0, 0))
  return [...byDay].map(([dayMs, happened]) => ({ date: new Date(dayMs), items: happened }))
}
