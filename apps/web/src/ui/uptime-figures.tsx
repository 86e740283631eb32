import { percent } from '@astropelago/contract/percent'
import { windowNames } from './history-words.ts'

interface UptimeFiguresProps {
  windows: readonly {
    readonly window: keyof typeof windowNames
    /** Over observed time, 0 to 1; null where nothing was observed. */
    readonly uptime: number | null
    readonly observed: number
  }[]
}

/** How much of the last day, week, month and quarter something was up, and how much of that was seen. */
export function UptimeFigures({ windows }: UptimeFiguresProps) {
  return (
    <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
      {windows.map(({ window, uptime, observed }) => (
        <div key={window} className="flex min-w-0 flex-col">
          <dt className="text-sm text-muted">{windowNames[window]}</dt>
          <dd className="font-display text-title font-semibold text-ink">
            {uptime === null ? '–' : percent(uptime)}
          </dd>
          <dd className="text-xs text-muted">{percent(observed)} observed</dd>
        </div>
      ))}
    </dl>
  )
}
