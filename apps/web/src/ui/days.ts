interface Day<Item> {
  /** Its midnight, where it is read. */
  readonly date: Date
  readonly items: readonly Item[]
}

/** What happened, in the days of its reader's time zone; the order stays. */
export function inDays<Item extends { readonly at: string }>(
  items: readonly Item[],
): readonly Day<Item>[] {
  const byDay = Map.groupBy(items, ({ at }) => new Date(at).setHours(0, 0, 0, 0))
  return [...byDay].map(([dayMs, happened]) => ({ date: new Date(dayMs), items: happened }))
}
