import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import ChevronRight from 'virtual:icon/chevron-right'
import { formatPercent } from '../language/format.ts'
import { DayColumns } from './day-columns.tsx'
import { drawnDays, type HistoryDay, type StateWords, uptimeOf } from './history-days.ts'
import { dayOfWeek, daysText, dayText, duration, wholeDay } from './history-words.ts'
import { useToday } from './local-time.tsx'
import { Table, TableCell, TableRow } from './table.tsx'

const barDays = 90

/** Pointing at a day, or moving to it by arrow keys, shows its details. */
export function DayBars(props: { of: string; days: readonly HistoryDay[]; words: StateWords }) {
  const { of: name, days, words } = props
  const drawn = drawnDays(days, barDays, useToday())
  const [gone, setGone] = useState(barDays - 1)
  const [pointed, setPointed] = useState<number>()
  const [hasFocus, setHasFocus] = useState(false)
  const shownIndex = pointed ?? (hasFocus ? gone : undefined)
  const shown = shownIndex === undefined ? undefined : drawn[shownIndex]
  const goneTo = drawn[gone]
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
          {shownIndex !== undefined && (
            <span
              aria-hidden
              className="pointer-events-none absolute -inset-y-1 rounded-sm bg-ink/15"
              style={{ left: `${(shownIndex / barDays) * 100}%`, width: `${100 / barDays}%` }}
            />
          )}
          <DayColumns days={drawn} className="block h-14 w-full sm:h-16" />
          {/* A slider works with the keyboard, screen readers and touch. */}
          <input
            type="range"
            aria-label={t`Days of ${name}`}
            aria-valuetext={goneTo && `${wholeDay(goneTo.day)}: ${dayText(goneTo, words)}`}
            min={0}
            max={barDays - 1}
            value={gone}
            onChange={({ target }) => setGone(target.valueAsNumber)}
            onFocus={() => setHasFocus(true)}
            onBlur={() => setHasFocus(false)}
            onPointerMove={({ nativeEvent: { offsetX }, currentTarget }) => {
              const index = Math.floor((offsetX / currentTarget.clientWidth) * barDays)
              setPointed(Math.max(0, Math.min(barDays - 1, index)))
            }}
            onPointerLeave={() => setPointed(undefined)}
            onKeyDown={() => setPointed(undefined)}
            className="absolute inset-0 h-full w-full cursor-crosshair touch-pan-y appearance-none opacity-0 [&::-moz-range-thumb]:w-px [&::-webkit-slider-thumb]:w-px [&::-webkit-slider-thumb]:appearance-none"
          />
        </div>
        <p aria-hidden className="flex justify-between text-xs text-muted">
          <span>
            <Trans>{barDays} days ago</Trans>
          </span>
          <span>
            <Trans>Today</Trans>
          </span>
        </p>
      </div>
      <DayTable caption={t`Days of ${name}`} days={days} words={words} />
    </div>
  )
}

function DayTable(props: { caption: string; days: readonly HistoryDay[]; words: StateWords }) {
  const { caption, days, words } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <ul
          aria-label={t`What the columns show`}
          className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted"
        >
          <Meaning mark="h-3 w-2 bg-online">{words.up}</Meaning>
          <Meaning mark="h-3 w-2 bg-offline">{words.down}</Meaning>
          <Meaning mark="h-3 w-0.5 mx-0.75 bg-unknown">
            <Trans>not observed</Trans>
          </Meaning>
          <Meaning mark="h-0.5 w-2 bg-edge">
            <Trans>nothing known</Trans>
          </Meaning>
        </ul>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex h-9 items-center gap-1.5 rounded-mark text-xs font-medium text-muted transition-colors hover:text-ink"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 transition-transform duration-150 ${isOpen ? 'rotate-90' : ''}`}
          />
          <Trans>As a table</Trans>
        </button>
      </div>
      {isOpen && (
        <div className="max-h-96 overflow-y-auto">
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
                  <TableCell numeric>
                    {day.unobservedS === 0 ? '–' : duration(day.unobservedS)}
                  </TableCell>
                  <TableCell numeric>{day.flips}</TableCell>
                </TableRow>
              )
            })}
          </Table>
        </div>
      )}
    </div>
  )
}

function Meaning({ mark, children }: { mark: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden className={mark} />
      {children}
    </li>
  )
}
