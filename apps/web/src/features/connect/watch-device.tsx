import type { OwnDevice } from '@astropelago/contract/devices'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeAgo } from '../devices/time-ago.tsx'
import { useNow } from '../devices/use-now.ts'
import { Signal } from './signal.tsx'
import { WaitingHelp } from './waiting-help.tsx'

const clockMs = 1000

interface WatchDeviceProps {
  device: OwnDevice
  hasToken: boolean
  /** What to say when the last question about the device got no answer. */
  failure: ReactNode
}

/** The fourth step: waits for the device, and shows it as soon as it is online. */
export function WatchDevice({ device, hasToken, failure }: WatchDeviceProps) {
  const nowMs = useNow(clockMs)
  const isOnline = device.status === 'online'
  return (
    <>
      <div
        className={
          isOnline
            ? 'flex min-w-0 items-center gap-5 rounded-control border border-accent/40 bg-accent-soft p-5'
            : 'flex min-w-0 items-center gap-5 rounded-control border border-line-strong bg-ground/60 p-5'
        }
      >
        <Signal isOnline={isOnline} />
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
        </div>
      </div>
      {failure}
      {isOnline ? (
        <Link to={paths.account()} className={`${buttonStyles({ variant: 'outline' })} self-start`}>
          See your devices
        </Link>
      ) : (
        <WaitingHelp hasToken={hasToken} />
      )}
      <LiveRegion>{announcement(device)}</LiveRegion>
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

function announcement({ label, status }: OwnDevice): string {
  return status === 'unknown' ? `Waiting for ${label}.` : `${label} is ${status}.`
}
