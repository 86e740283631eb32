import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatPercent } from '../language/format.ts'
import { DayColumns } from './day-columns.tsx'
import { FoldedTable } from './folded-table.tsx'
import { drawnDays, type HistoryDay, type StateWords, uptimeOf } from './history-days.ts'
import { dayOfWeek, daysText, dayText, duration, wholeDay } from './history-words.ts'
import { useToday } from './local-time.tsx'
import { Table, TableCell, TableRow } from './table.tsx'
import { useSlotSlider } from './use-slot-slider.tsx'

export const barDays = 90

/** Pointing at a day, or moving to it by arrow keys, shows its details. */
export function DayBars(props: { of: string; days: readonly HistoryDay[]; words: StateWords }) {
  const { of: name, days, words } = props
  const drawn = drawnDays(days, barDays, useToday())
  const slider = useSlotSlider({
    label: t`Days of ${name}`,
    count: barDays,
    textOf: (slot) => {
      const day = drawn[slot]
      return day && `${wholeDay(day.day)}: ${dayText(day, words)}`
    },
  })
  const shown = slider.shown === undefined ? undefined : drawn[slider.shown]
  const heading = shown === undefined ? t`Last ${barDays} days` : dayOfWeek(shown.day)
  const text = shown === undefined ? daysText(days, words) : dayText(shown, words)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex min-w-0 flex-col gap-2">
        {/* Reserves two lines on phones, so that nothing below moves while the reader goes through the days. */}
        <p data-numeric aria-hidden className="min-h-11 text-sm text-muted sm:min-h-0 sm:truncate">
          <Trans>
            <span className="font-medium text-ink">{heading}</span>: {text}
          </Trans>
        </p>
        <div className="relative rounded-mark has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
          <DayColumns days={drawn} className="block h-14 w-full sm:h-16" />
          {slider.over}
        </div>
        <DaysEnds />
      </div>
      <FoldedTable
        legend={t`What the columns show`}
        meanings={[
          { mark: 'h-3 w-2 bg-online', name: words.up },
          { mark: 'h-3 w-2 bg-offline', name: words.down },
          { mark: 'h-3 w-0.5 mx-0.75 bg-unknown', name: t`not observed` },
          { mark: 'h-0.5 w-2 bg-edge', name: t`nothing known` },
        ]}
      >
        {() => <DayTable caption={t`Days of ${name}`} days={days} words={words} />}
      </FoldedTable>
    </div>
  )
}

/** Below a drawing of the last days. */
export function DaysEnds() {
  return (
    <p aria-hidden className="flex justify-between text-xs text-muted">
      <span>
        <Trans>{barDays} days ago</Trans>
      </span>
      <span>
        <Trans>Today</Trans>
      </span>
    </p>
  )
}

function DayTable(props: { caption: string; days: readonly HistoryDay[]; words: StateWords }) {
  const { caption, days, words } = props
  return (
    <Table
      caption={caption}
      columns={[
        { name: t`Day, in UTC` },
        { name: t`Uptime`, numeric: true },
        { name: words.downHeading, numeric: true },
        { name: t`Not observed`, numeric: true },
        { name: t`Changes`, numeric: true },
      ]}
    >
      {days.toReversed().map((day) => {
        const uptime = uptimeOf(day)
        return (
          <TableRow key={day.day}>
            <TableCell className="whitespace-nowrap">{wholeDay(day.day)}</TableCell>
            <TableCell numeric>{uptime === null ? '–' : formatPercent(uptime)}</TableCell>
            <TableCell numeric>{day.downS === 0 ? '–' : duration(day.downS)}</TableCell>
            <TableCell numeric>{day.unobservedS === 0 ? '–' : duration(day.unobservedS)}</TableCell>
            <TableCell numeric>{day.flips}</TableCell>
          </TableRow>
        )
      })}
    </Table>
  )
}
