import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type DrawnDay, drawnDays, type HistoryDay, type StateWords } from './history-days.ts'
import { daysText } from './history-words.ts'

/** In units of the drawing, which stretches to any width. */
const slotWidth = 10
const columnWidth = 7
const height = 40
/** Keeps states visible that lasted only minutes. */
const leastHeight = 6
/** The height of a day without data. */
const baseHeight = 2

/** Shapes differ as well as colours. The surrounding component provides the text. */
export function DayColumns({ days, className }: { days: readonly DrawnDay[]; className?: string }) {
  const drawn = { up: '', down: '', unseen: '', unknown: '' }
  days.forEach(({ seen }, index) => {
    const x = index * slotWidth + (slotWidth - columnWidth) / 2
    const [up, down, unseen] = heightsOf(seen)
    drawn.up += column(x, height - up, columnWidth, up)
    drawn.down += column(x, height - up - down, columnWidth, down)
    drawn.unseen += column(x + columnWidth / 2 - 0.75, 0, 1.5, unseen)
    if (up + down + unseen === 0) {
      drawn.unknown += column(x, height - baseHeight, columnWidth, baseHeight)
    }
  })
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${days.length * slotWidth} ${height}`}
      preserveAspectRatio="none"
      className={className}
    >
      <path d={drawn.unknown} className="fill-line-strong" />
      <path d={drawn.up} className="fill-online" />
      <path d={drawn.down} className="fill-offline" />
      <path d={drawn.unseen} className="fill-unknown" />
    </svg>
  )
}

function column(x: number, y: number, width: number, tall: number): string {
  return tall === 0 ? '' : `M${x} ${round(y)}h${width}v${round(tall)}h-${width}z`
}

function round(length: number): number {
  return Math.round(length * 100) / 100
}

/** In proportion to their durations, but never too small to be seen. */
function heightsOf(seen: DrawnDay['seen']): readonly [up: number, down: number, unseen: number] {
  if (seen === undefined) return [0, 0, 0]
  const parts = [seen.upS, seen.downS, seen.unobservedS] as const
  const whole = parts[0] + parts[1] + parts[2]
  if (whole === 0) return [0, 0, 0]
  const least = parts.map((part) => (part === 0 ? 0 : leastHeight))
  const free = height - least.reduce<number>((sum, part) => sum + part, 0)
  const tall = (index: 0 | 1 | 2) => (least[index] ?? 0) + (parts[index] / whole) * free
  return [tall(0), tall(1), tall(2)]
}

const stripDays = 30

interface DayStripProps {
  days: readonly HistoryDay[] | undefined
  words: StateWords
  className?: string
}

export function DayStrip({ days, words, className = 'h-5 w-full' }: DayStripProps) {
  const [nowMs] = useState(Date.now)
  const known = daysText(days ?? [], words)
  const text = days === undefined ? '' : t`Last ${stripDays} days: ${known}`
  return (
    <span title={text} className="block min-w-0">
      <DayColumns days={drawnDays(days ?? [], stripDays, nowMs)} className={`block ${className}`} />
      <span className="sr-only">{text}</span>
    </span>
  )
}
