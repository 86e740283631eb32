import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import Plus from 'virtual:icon/plus'
import Telescope from 'virtual:icon/telescope'
import { ListFailure } from '../../lib/list-failure.tsx'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { isMotionWelcome } from '../../lib/motion.ts'
import { publicUrl } from '../../lib/public-url.ts'
import { isSignedOut } from '../../lib/query-state.ts'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { LiveRegion } from '../../ui/live-region.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { NewLight } from './new-light.tsx'
import { LongWait, Signal } from './waiting.tsx'

const clockMs = 1000

interface WatchDeviceProps {
  device: OwnDevice
  hasToken: boolean
  isInstalled: boolean
  onAddAnother: () => void
  query: UseQueryResult
}

export function WatchDevice(props: WatchDeviceProps) {
  const { device, hasToken, isInstalled, onAddAnother, query } = props
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
                t`No heartbeat yet`
              ) : (
                <Trans>
                  Last seen <TimeAgo at={device.lastSeenAt} nowMs={nowMs} />
                </Trans>
              )}
            </span>
            <FeedMark />
          </div>
          {isOnline && hasToken && (
            <p className="mt-1 max-w-prose text-sm text-ink">
              {isInstalled
                ? t`Your device is on the globe now, and it goes on reporting by itself.`
                : t`Your device is on the globe now. Install the heartbeat above, or it goes offline again.`}
            </p>
          )}
        </div>
      </div>
      {query.isError && <WatchFailure query={query} />}
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
  if (status === 'unknown') return <Trans>Waiting for {name}</Trans>
  return status === 'online' ? <Trans>{name} is online</Trans> : <Trans>{name} is offline</Trans>
}

function announcement({ label, status }: OwnDevice, isInstalled: boolean): string {
  if (status === 'unknown') return t`Waiting for ${label}.`
  if (status === 'offline') return t`${label} is offline.`
  return isInstalled
    ? t`${label} is online and goes on reporting by itself.`
    : t`${label} is online.`
}

function WaitingHelp({ hasToken }: { hasToken: boolean }) {
  return (
    <>
      <p className="text-sm text-muted">
        {hasToken
          ? t`Run the command above. This page shows the device as soon as it reports.`
          : t`Generate a token above, or use one that the device already has. This page shows the device as soon as it reports.`}
      </p>
      <LongWait title={t`Nothing yet? Check these:`}>
        <li>
          <Trans>
            Run the “Try it now” line on the device. It says whether the heartbeat arrived.
          </Trans>
        </li>
        <li>
          <Trans>
            The device must reach the address in the command. An address such as localhost only
            works on this computer.
          </Trans>
        </li>
        <li>
          <Trans>
            Was the token revoked, or the command copied only in part? Generate another.
          </Trans>
        </li>
        <li>
          <Trans>Cron and timers start by themselves while the device is awake.</Trans>
        </li>
      </LongWait>
    </>
  )
}

/** Needs no retry button, because polling continues. */
function WatchFailure({ query }: { query: UseQueryResult }) {
  if (isSignedOut(query.error)) return <ListFailure query={query} of="devices" />
  return (
    <output className="text-sm text-muted">
      <Trans>The server does not answer right now. This page keeps trying.</Trans>
    </output>
  )
}

function WhatNext({ device, onAddAnother }: { device: OwnDevice; onAddAnother: () => void }) {
  const { id, link, visibility } = device
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.observatoryDevice(id)}>
          <Telescope aria-hidden />
          <Trans>See it on the globe</Trans>
        </LinkButton>
        <Button variant="outline" onClick={onAddAnother}>
          <Plus aria-hidden />
          <Trans>Add another</Trans>
        </Button>
        <LinkButton to={paths.device(id)} variant="outline">
          <Trans>See its page</Trans>
        </LinkButton>
        <LinkButton to={paths.account()} variant="outline">
          <Trans>See your devices</Trans>
        </LinkButton>
      </div>
      {visibility === 'public' ? (
        <CodeBlock
          label={
            link === null ? t`Share it: its place on the globe` : t`Share it: where its link leads`
          }
          text={link ?? new URL(paths.observatoryDevice(id), publicUrl()).href}
        />
      ) : (
        <p className="text-sm text-muted">
          <Trans>
            It is private, so only you see it. To share it, make it public on your account page.
          </Trans>
        </p>
      )}
    </>
  )
}
