import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { isMotionWelcome } from '../../lib/motion.ts'
import { classNames } from '../../ui/class-names.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { NewLight } from './new-light.tsx'
import { Signal } from './signal.tsx'
import { WaitingHelp } from './waiting-help.tsx'
import { WhatNext } from './what-next.tsx'

const clockMs = 1000

interface WatchDeviceProps {
  device: OwnDevice
  hasToken: boolean
  /** Whether the token created on this page has sent a second heartbeat. */
  isInstalled: boolean
  onAddAnother: () => void
  /** Shown if the last request for the device's status failed. */
  failure: ReactNode
}

/** The fourth step: waits for the device, and shows it once it is online. */
export function WatchDevice(props: WatchDeviceProps) {
  const { device, hasToken, isInstalled, onAddAnother, failure } = props
  const nowMs = useNow(clockMs)
  const [firstStatus] = useState(device.status)
  const isOnline = device.status === 'online'
  const celebration = useRef<HTMLDivElement>(null)
  const wasOnline = useRef(isOnline)

  // Only the first time, because a user who has just pasted a command is looking at another step.
  useEffect(() => {
    if (!isOnline || wasOnline.current) return
    wasOnline.current = true
    celebration.current?.scrollIntoView({
      behavior: isMotionWelcome() ? 'smooth' : 'instant',
      block: 'center',
    })
  }, [isOnline])

  return (
    <>
      <div
        ref={celebration}
        className={classNames(
          'flex min-w-0 items-center gap-5 rounded-control border p-5 max-sm:flex-col max-sm:items-start',
          isOnline ? 'border-accent/40 bg-accent-soft' : 'border-line-strong bg-ground/60',
        )}
      >
        {isOnline ? <NewLight isNew={firstStatus !== 'online'} /> : <Signal />}
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-display text-title font-semibold wrap-anywhere">
            <Headline device={device} />
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            <StatusBadge status={device.status} />
            <span>
              {device.lastSeenAt === null ? (
                'No heartbeat yet'
              ) : (
                <>
                  Last seen <TimeAgo at={device.lastSeenAt} nowMs={nowMs} />
                </>
              )}
            </span>
            <FeedMark />
          </div>
          {isOnline && hasToken && (
            <p className="mt-1 max-w-prose text-sm text-ink">
              {isInstalled
                ? 'Your device is on the globe now, and it goes on reporting by itself.'
                : 'Your device is on the globe now. Install the heartbeat above, or it goes offline again in a few minutes.'}
            </p>
          )}
        </div>
      </div>
      {failure}
      {isOnline ? (
        <WhatNext device={device} onAddAnother={onAddAnother} />
      ) : (
        <WaitingHelp hasToken={hasToken} />
      )}
      <LiveRegion>{announcement(device, isInstalled)}</LiveRegion>
    </>
  )
}

function Headline({ device: { label, status } }: { device: OwnDevice }) {
  const name = <bdi>{label}</bdi>
  return status === 'unknown' ? (
    <>Waiting for {name}</>
  ) : (
    <>
      {name} is {status}
    </>
  )
}

function announcement({ label, status }: OwnDevice, isInstalled: boolean): string {
  if (status === 'unknown') return `Waiting for ${label}.`
  if (status === 'online' && isInstalled)
    return `${label} is online and goes on reporting by itself.`
  return `${label} is ${status}.`
}
