import { useState } from 'react'
import { DayColumns } from './day-columns.tsx'
import { drawnDays, type HistoryDay, type StateWords } from './history-days.ts'
import { daysText } from './history-words.ts'

const stripDays = 30

interface DayStripProps {
  /** Undefined while loading; the strip keeps its size. */
  days: readonly HistoryDay[] | undefined
  words: StateWords
  className?: string
}

export function DayStrip({ days, words, className = 'h-5 w-full' }: DayStripProps) {
  const [nowMs] = useState(Date.now)
  const text = days === undefined ? '' : `Last ${stripDays} days: ${daysText(days, words)}`
  return (
    <span title={text} className="block min-w-0">
      <DayColumns days={drawnDays(days ?? [], stripDays, nowMs)} className={`block ${className}`} />
      <span className="sr-only">{text}</span>
    </span>
  )
}
