import type { CheckHistory, LocationHistory } from '@astropelago/contract/checks'
import { hourText } from '@astropelago/contract/time-text'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { barDays, DaysEnds } from '../../ui/day-bars.tsx'
import { FoldedTable } from '../../ui/folded-table.tsx'
import { type DrawnDay, drawnDays } from '../../ui/history-days.ts'
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
  history: Pick<CheckHistory, 'samples' | 'days' | 'locations'>
  /** The end of the last 24 hours. */
  nowMs: number
}

export function ResponseTimes({ of: name, history, nowMs }: ResponseTimesProps) {
  const todayMs = useToday()
  const hours = slotsOf(history.samples, nowMs)
  const startMs = hours[0]?.fromMs ?? 0
  const drawn = drawnDays(history.days, barDays, todayMs)
  const days = slotsOfDays(drawn, history.days).map((slot): NamedSlot => {
    const { day, p50Ms, p95Ms, failures } = slot
    return { name: dayOfWeek(day), longName: wholeDay(day), p50Ms, p95Ms, failures }
  })
  const locations = namedLocations(history.locations ?? [])
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
              series={locations.map(({ name: location, samples }) => ({
                name: location,
                all: slotOf(samples),
                slots: slotsOf(samples, nowMs),
              }))}
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
              series={locations.map((location) => ({
                name: location.name,
                slots: slotsOfDays(drawn, location.days),
              }))}
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

/** What a location elsewhere found. */
interface Series {
  readonly name: string
  /** Shown while nobody looks at a single slot. */
  readonly all?: Slot
  readonly slots: readonly Slot[]
}

interface ChartProps {
  label: string
  /** The heading of the table's first column. */
  first: string
  /** Shown while nobody looks at a single slot. */
  all?: NamedSlot
  slots: readonly NamedSlot[]
  series: readonly Series[]
  /** What stands below the drawing. */
  children: ReactNode
}

/** Beside colour, lines differ by their dashes. */
const seriesStyles = [
  { dash: '7 4', line: 'stroke-series-1', mark: 'border-dashed border-series-1' },
  { dash: '2 3', line: 'stroke-series-2', mark: 'border-dotted border-series-2' },
  { dash: '7 4', line: 'stroke-series-3', mark: 'border-dashed border-series-3' },
  { dash: '2 3', line: 'stroke-series-4', mark: 'border-dotted border-series-4' },
  { dash: '7 4', line: 'stroke-series-5', mark: 'border-dashed border-series-5' },
] as const

/**
 * A line for the usual answer, in a band that ends where 95% of the answers were there, and a line for the usual
 * answer at each location elsewhere.
 */
function Chart({ label, first, all, slots, series, children }: ChartProps) {
  const slider = useSlotSlider({
    label,
    count: slots.length,
    textOf: (index) => {
      const slot = slots[index]
      if (slot === undefined) return undefined
      const others = series.map(({ name, slots: found }) => `${name}: ${usualText(found[index])}`)
      return [`${slot.longName ?? slot.name}: ${slotText(slot)}`, ...others].join('; ')
    },
  })
  const latest = slots.findLast(({ p50Ms }) => p50Ms !== null)
  const shown = slider.shown === undefined ? (all ?? latest) : slots[slider.shown]
  const styled = series.map((one, at) => {
    const { all: whole, slots: found } = one
    const slot = slider.shown === undefined ? whole : found[slider.shown]
    const style = seriesStyles[at % seriesStyles.length] ?? seriesStyles[0]
    return { ...one, ...style, slot }
  })
  const usual = series.flatMap(({ slots: found }) => found.map(({ p50Ms }) => p50Ms))
  const scale = scaleOf([...slots.map(({ p95Ms }) => p95Ms), ...usual])
  const hasScale = latest !== undefined || usual.some((ms) => ms !== null)
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
            {hasScale && [scale, scale / 2, 0].map((ms) => <span key={ms}>{tookText(ms)}</span>)}
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
              {styled.map(({ name, slots: found, dash, line: color }) => (
                <path
                  key={name}
                  d={drawingOf(found, scale).line}
                  {...stroke}
                  strokeWidth={1.75}
                  strokeDasharray={dash}
                  strokeLinejoin="round"
                  className={color}
                />
              ))}
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
          {
            mark: 'h-0.5 w-3 bg-accent',
            name: series.length === 0 ? t`typical answer` : t`typical answer, this server`,
          },
          { mark: 'h-3 w-3 bg-accent-soft', name: t`95% of the answers` },
          ...(ticks === '' ? [] : [{ mark: 'h-3 w-0.5 bg-danger', name: t`no answer` }]),
          ...styled.map(({ name, mark, slot }) => ({
            id: name,
            mark: `w-4 shrink-0 border-t-2 ${mark}`,
            name: (
              <span data-numeric>
                <bdi className="wrap-anywhere text-ink">{name}</bdi> {slot && usualText(slot)}
              </span>
            ),
          })),
        ]}
      >
        {() => <SlotTable caption={label} first={first} slots={slots} series={series} />}
      </FoldedTable>
    </div>
  )
}

function SlotTable(props: {
  caption: string
  first: string
  slots: readonly NamedSlot[]
  series: readonly Series[]
}) {
  const { caption, first, slots, series } = props
  const rows = slots.map((slot, index) => ({
    slot,
    others: series.map(({ slots: found }) => found[index]?.p50Ms ?? null),
  }))
  return (
    <Table
      caption={caption}
      columns={[
        { name: first },
        { name: t`Typical`, numeric: true },
        { name: t`95% within`, numeric: true },
        { name: t`Failures`, numeric: true },
        ...series.map(({ name }) => ({ name, numeric: true })),
      ]}
    >
      {rows
        .filter(
          ({ slot, others }) =>
            slot.failures > 0 || [slot.p50Ms, ...others].some((ms) => ms !== null),
        )
        .toReversed()
        .map(({ slot: { name, longName = name, p50Ms, p95Ms, failures }, others }) => (
          <TableRow key={longName}>
            <TableCell className="whitespace-nowrap">{longName}</TableCell>
            <TableCell numeric>{msText(p50Ms)}</TableCell>
            <TableCell numeric>{msText(p95Ms)}</TableCell>
            <TableCell numeric>{failures}</TableCell>
            {others.map((ms, at) => (
              <TableCell key={series[at]?.name} numeric>
                {msText(ms)}
              </TableCell>
            ))}
          </TableRow>
        ))}
    </Table>
  )
}

/** Locations whose owners call their regions the same are numbered. */
function namedLocations(locations: readonly LocationHistory[]) {
  const counts = new Map<string, number>()
  return locations.map(({ name, ...location }) => {
    const region = name ?? t`No region given`
    const count = (counts.get(region) ?? 0) + 1
    counts.set(region, count)
    return { ...location, name: count === 1 ? region : `${region} (${count})` }
  })
}

function slotsOfDays(
  drawn: readonly DrawnDay[],
  days: readonly (Pick<Slot, 'p50Ms' | 'p95Ms'> & { readonly day: string })[],
) {
  const known = new Map(days.map((day) => [day.day, day]))
  return drawn.map(({ day }) => {
    const { p50Ms = null, p95Ms = null } = known.get(day) ?? {}
    return { day, p50Ms, p95Ms, failures: 0 }
  })
}

function msText(ms: number | null): string {
  return ms === null ? '–' : tookText(ms)
}

function usualText(slot: Slot | undefined): string {
  if (slot === undefined || slot.p50Ms === null) {
    return slot?.failures ? t`no answer` : t`nothing known`
  }
  return tookText(slot.p50Ms)
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
