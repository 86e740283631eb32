import { type ReactNode, useEffect, useState } from 'react'
import { LiveRegion } from '../../ui/live-region.tsx'

const longWaitMs = 120_000

/** Shows what to check, but only after a long wait. */
export function LongWait({ title, children }: { title: string; children: ReactNode }) {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), longWaitMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {isLong && (
        <div className="flex flex-col gap-2 rounded-control bg-raised px-4 py-3.5 text-sm">
          <p className="font-medium text-ink">{title}</p>
          <ul className="flex list-disc flex-col gap-1 pl-5 text-muted marker:text-edge">
            {children}
          </ul>
        </div>
      )}
      <LiveRegion>
        {isLong ? 'Nothing yet. What you can check is listed below the status.' : ''}
      </LiveRegion>
    </>
  )
}
