import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import RadioTower from 'virtual:icon/radio-tower'
import { LiveRegion } from '../../ui/live-region.tsx'

const longWaitMs = 120_000

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
          <ul className="flex list-disc flex-col gap-1 ps-5 text-muted marker:text-edge">
            {children}
          </ul>
        </div>
      )}
      <LiveRegion>
        {isLong ? t`Nothing yet. What you can check is listed below the status.` : ''}
      </LiveRegion>
    </>
  )
}

/** A mast that listens for the device. Decorative: the text beside it says the same. */
export function Signal() {
  return (
    <span
      aria-hidden
      className="relative grid size-14 shrink-0 place-items-center rounded-full border border-line-strong bg-panel text-muted"
    >
      <span className="absolute inset-0 hidden rounded-full border border-accent/50 motion-safe:block motion-safe:animate-signal" />
      <span className="absolute inset-0 hidden rounded-full border border-accent/50 motion-safe:block motion-safe:animate-signal [animation-delay:1.4s]" />
      <RadioTower className="size-6" />
    </span>
  )
}
