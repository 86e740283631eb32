import { percent } from '@astropelago/contract/percent'
import { useState } from 'react'
import ChevronRight from 'virtual:icon/chevron-right'
import { type HistoryDay, type StateWords, uptimeOf } from './history-days.ts'
import { duration, wholeDay } from './history-words.ts'
import { Table, TableCell, TableRow } from './table.tsx'

interface DayTableProps {
  caption: string
  days: readonly HistoryDay[]
  words: StateWords
}

/** The legend of the drawing, and its values in a table that can be opened. */
export function DayTable({ caption, days, words }: DayTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <ul
          aria-label="What the columns show"
          className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted"
        >
          <Meaning mark="h-3 w-2 bg-online">{words.up}</Meaning>
          <Meaning mark="h-3 w-2 bg-offline">{words.down}</Meaning>
          <Meaning mark="h-3 w-0.5 mx-0.75 bg-unknown">not observed</Meaning>
          <Meaning mark="h-0.5 w-2 bg-edge">nothing known</Meaning>
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
          As a table
        </button>
      </div>
      {isOpen && (
        <div className="max-h-96 overflow-y-auto">
          <Table
            caption={caption}
            columns={[
              { name: 'Day, in UTC' },
              { name: 'Uptime', numeric: true },
              { name: sentence(words.down), numeric: true },
              { name: 'Not observed', numeric: true },
              { name: 'Changes', numeric: true },
            ]}
          >
            {days.toReversed().map((day) => {
              const uptime = uptimeOf(day)
              return (
                <TableRow key={day.day}>
                  <TableCell className="whitespace-nowrap">{wholeDay(day.day)}</TableCell>
                  <TableCell numeric>{uptime === null ? '–' : percent(uptime)}</TableCell>
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

function Meaning({ mark, children }: { mark: string; children: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden className={mark} />
      {children}
    </li>
  )
}

function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
