import { Trans } from '@lingui/react/macro'
import type { HistorySpan, StateWords } from './history-days.ts'
import { spansText } from './history-words.ts'
import { LocalTime } from './local-time.tsx'

const height = 40
const upY = 6
const downY = 34
/** In units of the drawing, which is 1,000 wide. Keeps states visible that lasted only a minute. */
const leastWidth = 4
const hourMs = 3_600_000
/** Every sixth hour of the reader's clock has a label. */
const namedHours = 6
/** Closer to an end than this, a label would extend beyond the line, or on phones overlap 'Now'. */
const startMs = 1.5 * hourMs
const endMs = 4 * hourMs

interface HoursLineProps {
  /** Without gaps, oldest first. */
  spans: readonly HistorySpan[]
  words: StateWords
}

/** High is up, low is down, dashed is unobserved. */
export function HoursLine({ spans, words }: HoursLineProps) {
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) return null
  const fromMs = Date.parse(first.from)
  const toMs = Date.parse(last.to)
  const x = (ms: number) => Math.round(((ms - fromMs) / (toMs - fromMs)) * 10_000) / 10
  const drawn = { up: '', area: '', down: '', unseen: '', steps: '' }
  spans.forEach((span, index) => {
    const start = x(Date.parse(span.from))
    const end = Math.min(1000, Math.max(x(Date.parse(span.to)), start + leastWidth))
    if (span.state === 'up') {
      drawn.up += `M${start} ${upY}H${end}`
      drawn.area += `M${start} ${upY}H${end}V${height}H${start}z`
    } else if (span.state === 'down') drawn.down += `M${start} ${downY}H${end}`
    else drawn.unseen += `M${start} ${(upY + downY) / 2}H${end}`
    if (index > 0) drawn.steps += `M${start} ${upY}V${downY}`
  })
  const text = spansText(spans, words)
  const stroke = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p data-numeric className="text-sm text-muted">
        <Trans>
          <span className="font-medium text-ink">Last 24 hours</span>: {text}
        </Trans>
      </p>
      <svg
        aria-hidden
        viewBox={`0 0 1000 ${height}`}
        preserveAspectRatio="none"
        className="block h-14 w-full"
      >
        <path d={drawn.area} className="fill-accent-soft" />
        <path d={drawn.steps} {...stroke} strokeWidth={1} className="stroke-offline" />
        <path d={drawn.down} {...stroke} strokeWidth={3} className="stroke-offline" />
        <path
          d={drawn.unseen}
          {...stroke}
          strokeWidth={2}
          strokeDasharray="3 4"
          className="stroke-unknown"
        />
        <path d={drawn.up} {...stroke} strokeWidth={2.5} className="stroke-online" />
      </svg>
      <HourLabels fromMs={fromMs} toMs={toMs} />
    </div>
  )
}

/** Below a drawing of hours that end now. */
export function HourLabels({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  return (
    <div aria-hidden className="relative h-4.5 text-xs text-muted" data-numeric>
      {hourMarks(fromMs, toMs).map((ms) => (
        <span
          key={ms}
          className="absolute -translate-x-1/2"
          style={{ left: `${((ms - fromMs) / (toMs - fromMs)) * 100}%` }}
        >
          <LocalTime at={new Date(ms).toISOString()} form="hour" />
        </span>
      ))}
      <span className="absolute right-0">
        <Trans>Now</Trans>
      </span>
    </div>
  )
}

function hourMarks(fromMs: number, toMs: number): number[] {
  const first = new Date(fromMs + startMs)
  first.setHours(Math.ceil(first.getHours() / namedHours) * namedHours, 0, 0, 0)
  if (first.getTime() < fromMs + startMs) first.setHours(first.getHours() + namedHours)
  const marks: number[] = []
  for (let ms = first.getTime(); ms < toMs - endMs; ms += namedHours * hourMs) marks.push(ms)
  return marks
}
