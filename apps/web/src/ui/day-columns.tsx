import type { DrawnDay } from './history-days.ts'

/** Of the drawing: it is stretched to whatever width there is. */
const slotWidth = 10
const columnWidth = 7
const height = 40
/** What lasted some minutes has to be seen all the same. */
const leastHeight = 6
/** Where nothing is known, so that a day is there. */
const baseHeight = 2

interface DayColumnsProps {
  days: readonly DrawnDay[]
  className?: string
}

/**
 * A column for each day: its light is the time it was up, from below; what it was down lies dark upon it,
 * and a thin line is time that the server could not see. Shape says it as well as colour. Without a word:
 * what stands around it has those.
 */
export function DayColumns({ days, className }: DayColumnsProps) {
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

/** How tall the parts of a day are: its shares, but none that is there too small to be seen. */
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
