import { IslandKind } from '@astropelago/contract/islands'
import { kindWords } from '../../../islands/island-words.ts'

/** What the marks mean. Drawn as in draw-chart.ts. */
export function ChartLegend() {
  return (
    <ul
      aria-label="Marks of the chart"
      className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted"
    >
      {IslandKind.options.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 16 16" className="size-4" fill="none">
            <Shape kind={kind} />
          </svg>
          {kindWords[kind].name}
        </li>
      ))}
      <li className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 16 16" className="size-4">
          <circle cx="8" cy="8" r="7.5" className="fill-island/20" />
          <circle cx="8" cy="8" r="4" className="fill-island" />
        </svg>
        Open
      </li>
      <li className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 16 16" className="size-4" fill="none">
          <circle cx="8" cy="8" r="4" strokeWidth="1.5" className="stroke-muted" />
        </svg>
        Closed
      </li>
    </ul>
  )
}

function Shape({ kind }: { kind: IslandKind }) {
  const look = { strokeWidth: 1.5, className: 'stroke-island' }
  if (kind === 'social') return <circle cx="8" cy="8" r="4.5" {...look} />
  if (kind === 'media') return <path d="m8 2.5 5.5 5.5L8 13.5 2.5 8Z" {...look} />
  return <path d="m8 2.5 5.2 9H2.8Z" {...look} />
}
