import { Plural, Trans } from '@lingui/react/macro'
import { formatPercent } from '../language/format.ts'
import { windowHours, windowNames } from './history-words.ts'

interface UptimeFiguresProps {
  windows: readonly {
    readonly window: keyof typeof windowNames
    /** As a fraction of observed time, 0 to 1; null if nothing was observed. */
    readonly uptime: number | null
    readonly observed: number
  }[]
}

/** Below a day of observation, one figure: all four would be the same and look like a quarter's. */
export function UptimeFigures({ windows }: UptimeFiguresProps) {
  const seenHours = Math.max(
    0,
    ...windows.map(({ window, observed }) => windowHours[window] * observed),
  )
  const [shortest] = windows
  if (shortest !== undefined && shortest.uptime !== null && seenHours < 24) {
    const minutes = Math.max(1, Math.round(seenHours * 60))
    const hours = Math.round(seenHours)
    const share = (
      <span className="font-display text-title font-semibold text-ink">
        {formatPercent(shortest.uptime)}
      </span>
    )
    return (
      <p data-numeric className="text-sm text-muted">
        {minutes < 60 ? (
          <Trans>
            {share} of the <Plural value={minutes} one="minute" other="# minutes" /> observed so
            far. You see more figures after the first day.
          </Trans>
        ) : (
          <Trans>
            {share} of the <Plural value={hours} one="hour" other="# hours" /> observed so far. You
            see more figures after the first day.
          </Trans>
        )}
      </p>
    )
  }
  return (
    <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
      {windows.map(({ window, uptime, observed }) => (
        <div key={window} className="flex min-w-0 flex-col">
          <dt className="text-sm text-muted">{windowNames[window]}</dt>
          <dd className="font-display text-title font-semibold text-ink">
            {uptime === null ? '–' : formatPercent(uptime)}
          </dd>
          <dd className="text-xs text-muted">
            <Trans>{formatPercent(observed)} observed</Trans>
          </dd>
        </div>
      ))}
    </dl>
  )
}
