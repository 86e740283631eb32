import { useEffect, useState } from 'react'
import { LiveRegion } from '../../ui/live-region.tsx'

const longWaitMs = 120_000

/** What to do while nothing arrives; after a long wait, what to check. */
export function WaitingHelp({ hasToken }: { hasToken: boolean }) {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), longWaitMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <>
      <p className="text-sm text-muted">
        {hasToken
          ? 'Run the command above: this page shows the device as soon as it reports.'
          : 'Generate a token above, or use one that the device has already: this page shows it as soon as it reports.'}
      </p>
      {isLong && (
        <div className="flex flex-col gap-2 rounded-control bg-raised px-4 py-3.5 text-sm">
          <p className="font-medium text-ink">Nothing yet? Check these:</p>
          <ul className="flex list-disc flex-col gap-1 pl-5 text-muted marker:text-edge">
            <li>Run the “Try it now” line on the device: it says whether the heartbeat arrived.</li>
            <li>
              The device must reach the address in the command. An address such as localhost works
              on this computer alone.
            </li>
            <li>Was the token revoked, or the command copied only in part? Generate another.</li>
            <li>Cron and timers start within two minutes, when the device is awake.</li>
          </ul>
        </div>
      )}
      <LiveRegion>{isLong ? 'Nothing yet: what to check stands below the status.' : ''}</LiveRegion>
    </>
  )
}
