import type { CheckHistory } from '@astropelago/contract/checks'
import { hourText } from '@astropelago/contract/time-text'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { barDays, DaysEnds } from '../../ui/day-bars.tsx'
import { FoldedTable } from '../../ui/folded-table.tsx'
import { drawnDays } from '../../ui/history-days.ts'
import { dayOfWeek, wholeDay } from '../../ui/history-words.ts'
import { HourLabels } from '../../ui/hours-line.tsx'
import { useToday } from '../../ui/local-time.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useSlotSlider } from '../../ui/use-slot-slider.tsx'
import { tookText } from './check-words.ts'
import { drawingOf, scaleOf, type Slot, slotsOf, slotOf } from './response-slots.ts'

interface ResponseTimesProps {
  of: string
  history: Pick<CheckHistory, 'samples' | 'days'>
  /** The end of the last 24 hours. */
  nowMs: number
}

export function ResponseTimes({ of: name, history, nowMs }: ResponseTimesProps) {
  const todayMs = useToday()
  const hours = slotsOf(history.samples, nowMs)
  const startMs = hours[0]?.fromMs ?? 0
  const known = new Map(history.days.map((day) => [day.day, day]))
  const days = drawnDays(history.days, barDays, todayMs).map(({ day }): NamedSlot => {
    const { p50Ms = null, p95Ms = null } = known.get(day) ?? {}
    return { name: dayOfWeek(day), longName: wholeDay(day), p50Ms, p95Ms, failures: 0 }
  })
  return (
    <Tabs
      label={t`Response times`}
      tabs={[
        {
          name: t`24 hours`,
          content: (
            <Chart
              label={t`Response times of ${name}, 24 hours`}
              first={t`Time`}
              all={{ name: t`Last 24 hours`, ...slotOf(history.samples) }}
              slots={hours.map(({ fromMs, p50Ms, p95Ms, failures }) => ({
                name: hourText(fromMs),
                p50Ms,
                p95Ms,
                failures,
              }))}
            >
              <HourLabels fromMs={startMs} toMs={startMs + 24 * 3_600_000} />
            </Chart>
          ),
        },
        {
          name: t`90 days`,
          content: (
            <Chart
              label={t`Response times of ${name}, 90 days`}
              first={t`Day, in UTC`}
              slots={days}
            >
              <DaysEnds />
            </Chart>
          ),
        },
      ]}
    />
  )
}

interface NamedSlot extends Slot {
  readonly name: string
  readonly longName?: string
}

interface ChartProps {
  label: string
  /** The heading of the table's first column. */
  first: string
  /** Shown while nobody looks at a single slot. */
  all?: NamedSlot
  slots: readonly NamedSlot[]
  /** What stands below the drawing. */
  children: ReactNode
}

/** A line for the usual answer, in a band that ends where 95% of the answers were there. */
function Chart({ label, first, all, slots, children }: ChartProps) {
  const slider = useSlotSlider({
    label,
    count: slots.length,
    textOf: (index) => {
      const slot = slots[index]
      return slot && `${slot.longName ?? slot.name}: ${slotText(slot)}`
    },
  })
  const latest = slots.findLast(({ p50Ms }) => p50Ms !== null)
  const shown = slider.shown === undefined ? (all ?? latest) : slots[slider.shown]
  const scale = scaleOf(slots)
  const { band, line, ticks } = drawingOf(slots, scale)
  const stroke = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex min-w-0 flex-col gap-2">
        <p data-numeric className="min-h-11 text-sm text-muted sm:min-h-0 sm:truncate">
          {shown && (
            <Trans>
              <span className="font-medium text-ink">{shown.name}</span>: {slotText(shown)}
            </Trans>
          )}
        </p>
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2">
          <p
            aria-hidden
            data-numeric
            className="flex flex-col justify-between text-end text-xs leading-none text-muted"
          >
            {latest !== undefined &&
              [scale, scale / 2, 0].map((ms) => <span key={ms}>{tookText(ms)}</span>)}
          </p>
          <div className="relative rounded-mark has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
            <svg
              aria-hidden
              viewBox="0 0 1000 100"
              preserveAspectRatio="none"
              className="block h-36 w-full overflow-visible sm:h-44"
            >
              <path d="M0 0H1000M0 50H1000M0 100H1000" {...stroke} className="stroke-line" />
              <path d={band} className="fill-accent-soft" />
              <path
                d={line}
                {...stroke}
                strokeWidth={1.75}
                strokeLinejoin="round"
                className="stroke-accent"
              />
              <path d={ticks} {...stroke} strokeWidth={2} className="stroke-danger" />
            </svg>
            {slider.over}
          </div>
          <div className="col-start-2 min-w-0">{children}</div>
        </div>
      </div>
      <FoldedTable
        legend={t`What the drawing shows`}
        meanings={[
          { mark: 'h-0.5 w-3 bg-accent', name: t`typical answer` },
          { mark: 'h-3 w-3 bg-accent-soft', name: t`95% of the answers` },
          ...(ticks === '' ? [] : [{ mark: 'h-3 w-0.5 bg-danger', name: t`no answer` }]),
        ]}
      >
        {() => <SlotTable caption={label} first={first} slots={slots} />}
      </FoldedTable>
    </div>
  )
}

function SlotTable(props: { caption: string; first: string; slots: readonly NamedSlot[] }) {
  const { caption, first, slots } = props
  return (
    <Table
      caption={caption}
      columns={[
        { name: first },
        { name: t`Typical`, numeric: true },
        { name: t`95% within`, numeric: true },
        { name: t`Failures`, numeric: true },
      ]}
    >
      {slots
        .filter(({ p50Ms, failures }) => p50Ms !== null || failures > 0)
        .toReversed()
        .map(({ name, longName = name, p50Ms, p95Ms, failures }) => (
          <TableRow key={longName}>
            <TableCell className="whitespace-nowrap">{longName}</TableCell>
            <TableCell numeric>{p50Ms === null ? '–' : tookText(p50Ms)}</TableCell>
            <TableCell numeric>{p95Ms === null ? '–' : tookText(p95Ms)}</TableCell>
            <TableCell numeric>{failures}</TableCell>
          </TableRow>
        ))}
    </Table>
  )
}

/** 'typically 85 ms, 95% within 240 ms, 2 failures' */
function slotText({ p50Ms, p95Ms, failures }: Slot): string {
  const failed = plural(failures, { one: '# failure', other: '# failures' })
  if (p50Ms === null || p95Ms === null) return failures === 0 ? t`nothing known` : failed
  const [usual, slow] = [tookText(p50Ms), tookText(p95Ms)]
  return failures === 0
    ? t`typically ${usual}, 95% within ${slow}`
    : t`typically ${usual}, 95% within ${slow}, ${failed}`
}
