import type { ReactNode } from 'react'
import { dayName, useToday } from './local-time.tsx'

interface DayListProps<Item> {
  items: readonly Item[]
  heading: 'h2' | 'h3'
  children: (item: Item) => ReactNode
}

/** Keeps the order of `items`, which are newest first. */
export function DayList<Item extends { readonly at: string }>(props: DayListProps<Item>) {
  const { items, heading: Heading, children } = props
  const todayMs = useToday()
  return (
    <div className="flex flex-col gap-6">
      {inDays(items).map(({ date, items: happened }) => {
        const name = dayName(date.getTime(), todayMs)
        return (
          <section key={date.getTime()} aria-label={name} className="flex flex-col gap-1">
            <Heading className="text-xs font-medium tracking-normal text-muted">{name}</Heading>
            <ol className="flex flex-col">{happened.map(children)}</ol>
          </section>
        )
      })}
    </div>
  )
}

interface Day<Item> {
  /** Midnight in the reader's time zone. */
  readonly date: Date
  readonly items: readonly Item[]
}

export function inDays<Item extends { readonly at: string }>(
  items: readonly Item[],
): readonly Day<Item>[] {
  const byDay = Map.groupBy(items, ({ at }) => new Date(at).setHours(0, 0, 0, 0))
  return [...byDay].map(([dayMs, happened]) => ({ date: new Date(dayMs), items: happened }))
}
