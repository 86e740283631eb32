import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice, PublicDeviceDetails } from '@astropelago/contract/devices'
import { embedPaths } from '@astropelago/contract/embeds'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import { useParams } from 'react-router'
import { deviceQuery } from '../../devices/device-queries.ts'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { TokenList } from '../../devices/token-list.tsx'
import { EmbedCard, NoEmbeds } from '../../lib/embed-card.tsx'
import { failureText } from '../../lib/failure-text.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { followFromNow } from '../../lib/live-feed/follow-from-now.ts'
import { pageFeed, useFeedState } from '../../lib/live-feed/page-feed.ts'
import { useOwnStream } from '../../lib/live-feed/use-streams.ts'
import { LoadedPage } from '../../lib/loaded-page.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { duration } from '../../ui/history-words.ts'
import { LocalTime } from '../../ui/local-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DeviceHeader } from './device-header.tsx'
import { DevicePast } from './device-past.tsx'
import { LendCard } from './lend-card.tsx'

interface DevicePageProps {
  /** Renders alerts, which belong to another feature, for the device's owner. */
  alertsOf: (device: OwnDevice) => ReactNode
  /** From where others look at the island that it carries. */
  arcsOf?: (id: string) => ReactNode
}

export function DevicePage(props: DevicePageProps) {
  const { id = '' } = useParams()
  return <DeviceAt key={id} id={id} {...props} />
}

const expectedMs = 60_000

function DeviceAt({ id, alertsOf, arcsOf }: DevicePageProps & { id: string }) {
  const session = useSession()
  const isSignedIn = session.state === 'signed-in'
  const query = useQuery(deviceQuery(id))
  const ownQuery = useQuery({
    ...ownDevicesQuery,
    enabled: isSignedIn,
    // Nothing else says when the next heartbeat is expected.
    refetchInterval: ({ state }) =>
      state.data?.some((device) => device.id === id && device.schedule !== null)
        ? expectedMs
        : false,
  })
  const own = isSignedIn ? ownQuery.data?.find((device) => device.id === id) : undefined
  // Until then it may be the viewer's own private device.
  const isOwnerKnown = session.state === 'signed-out' || (isSignedIn && ownQuery.data !== undefined)
  useDeviceChanges(id, own !== undefined)
  return (
    <LoadedPage
      query={query}
      title={t`Device`}
      loading={t`Loading the device…`}
      nothingHere={t`There is no device at this address, or it is private.`}
      own={
        <LinkButton to={paths.account()}>
          <Trans>Your devices</Trans>
        </LinkButton>
      }
      notLoaded={{
        title: t`This device could not be loaded`,
        text: t`The connection failed, or the server is too busy. The device itself may be fine.`,
      }}
    >
      {(device) => (
        <div className="flex flex-col gap-6">
          <DeviceHeader device={device} own={own} />
          <FeedMark />
          {own?.report && <LastReport report={own.report} />}
          <DevicePast
            device={device}
            isOwn={own !== undefined}
            beside={
              <>
                {own && <OwnerParts device={own} alerts={alertsOf(own)} />}
                {isOwnerKnown && <DeviceEmbeds device={device} own={own} />}
                {!isOwnerKnown && ownQuery.errorUpdateCount === 0 && (
                  <Skeleton className="h-64 w-full rounded-card" />
                )}
                {isSignedIn && <ListFailure query={ownQuery} of="devices" />}
                {arcsOf?.(id)}
              </>
            }
          />
        </div>
      )}
    </LoadedPage>
  )
}

function LastReport({ report }: { report: NonNullable<OwnDevice['report']> }) {
  return (
    <Card
      title={report.status === 'fail' ? t`It reports a failure` : t`What it said last`}
      description={
        <Trans>
          <LocalTime at={report.at} />, for you alone
        </Trans>
      }
    >
      {report.text !== null && (
        <p dir="auto" className="font-mono text-sm whitespace-pre-wrap wrap-anywhere text-ink">
          {report.text}
        </p>
      )}
      <LastRun report={report} />
    </Card>
  )
}

function LastRun({ report }: { report: NonNullable<OwnDevice['report']> }) {
  const { exitCode, durationMs, runningSince } = report
  const time = durationMs === null ? '' : runTime(durationMs)
  return (
    <>
      {exitCode === null && time !== '' && <RunText>{t`Its last run took ${time}.`}</RunText>}
      {exitCode !== null && (
        <RunText>
          {time === ''
            ? t`Its last run ended with exit code ${exitCode}.`
            : t`Its last run took ${time} and ended with exit code ${exitCode}.`}
        </RunText>
      )}
      {runningSince !== null && (
        <RunText>
          <Trans>
            A run started <LocalTime at={runningSince} /> and has not ended.
          </Trans>
        </RunText>
      )}
    </>
  )
}

function RunText({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm text-muted" data-numeric>
      {children}
    </p>
  )
}

function runTime(durationMs: number): string {
  return durationMs < 1000 ? t`${durationMs} ms` : duration(durationMs / 1000)
}

function OwnerParts({ device, alerts }: { device: OwnDevice; alerts: ReactNode }) {
  return (
    <>
      {alerts}
      <Card
        className="items-start [&>ul]:self-stretch"
        title={t`Tokens`}
        description={t`The device reports with these. Each secret was shown once, when the token was made.`}
      >
        <TokenList device={device} explain={(error) => failureText(error) ?? ''} />
      </Card>
      <LendCard device={device} />
    </>
  )
}

interface DeviceEmbedsProps {
  device: PublicDeviceDetails
  own: OwnDevice | undefined
}

function DeviceEmbeds({ device, own }: DeviceEmbedsProps) {
  const { id, label, status, since } = device
  if (own?.visibility === 'private') {
    return (
      <NoEmbeds>
        <Trans>
          This device is private, so it has no badge and no feed. Make it public to get both.
        </Trans>
      </NoEmbeds>
    )
  }
  if (own?.hidden) {
    return (
      <NoEmbeds>
        <Trans>While it is hidden, nobody can see its badge or its feed.</Trans>
      </NoEmbeds>
    )
  }
  return (
    <EmbedCard
      of={{
        name: label,
        page: paths.device(id),
        statusBadge: embedPaths.deviceStatusBadge(id),
        uptimeBadge: embedPaths.deviceUptimeBadge(id),
        feed: embedPaths.deviceFeed(id),
      }}
      state={`${label} ${status} ${since}`}
    />
  )
}

/** The interval if no stream reports the device's status. */
const pollMs = 10_000
/** Uptime changes every minute, even without an event. */
const agingMs = 60_000

/** Refetches on changes in the live feed or the owner's stream, and as time passes. */
function useDeviceChanges(id: string, isOwn: boolean): void {
  const client = useQueryClient()
  const isFollowed = useFeedState()?.phase === 'live' || isOwn
  const askAnew = useCallback(() => {
    void client.invalidateQueries({ queryKey: queryKeys.device(id) })
    void client.invalidateQueries({ queryKey: queryKeys.ownDevices })
  }, [client, id])
  useEffect(() => {
    if (!pageFeed) return undefined
    return followFromNow(pageFeed, {
      onStart: askAnew,
      onChanges: ({ changed, removedIds }) => {
        if (changed.some((device) => device.id === id) || removedIds.includes(id)) askAnew()
      },
    })
  }, [askAnew, id])
  // The feed does not report private devices, nor any device's reports.
  useOwnStream(isOwn)
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: queryKeys.device(id) })
    }
    const timer = setInterval(ask, isFollowed ? agingMs : pollMs)
    return () => clearInterval(timer)
  }, [client, id, isFollowed])
}
