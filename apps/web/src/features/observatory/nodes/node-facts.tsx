import { getPublicDevice, type PublicDeviceDetails, safeLink } from '@astropelago/contract/devices'
import { dayText, timeText } from '@astropelago/contract/time-text'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import ExternalLink from 'virtual:icon/external-link'
import Link2Off from 'virtual:icon/link-2-off'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import UserRound from 'virtual:icon/user-round'
import type { IconComponent } from '../../../ui/create-icon.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { IslandMention } from '../islands/island-mark.tsx'
import type { NodeSummary } from './node-name.ts'
import { NeighbourName } from '../../../neighbours/neighbour-name.tsx'
import { useNeighbour } from '../../../neighbours/use-neighbours.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'

/** What the list has shows at once. The other lines keep their space while they load or fail. */
export function NodeFacts({ node }: { node: NodeSummary }) {
  const isOwn = node.neighbour === undefined
  const { data, error } = useQuery({ ...nodeDetailsQuery(node.id), enabled: isOwn })
  const neighbour = useNeighbour(node.neighbour)
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-xs text-muted">
      <p className="flex h-5 items-center gap-2">
        <StatusBadge status={node.status} />
        <span data-numeric className="truncate">
          {data !== undefined && sinceText(data)}
        </span>
      </p>
      {node.island && <IslandMention island={node.island} />}
      <Destination node={node} />
      {!isOwn && (
        <p className="flex h-4 min-w-0 items-center text-ink">
          {neighbour && <NeighbourName neighbour={neighbour} />}
        </p>
      )}
      {isOwn &&
        (node.isPrivate ? (
          <FactLine Icon={LockKeyhole}>
            <Trans>Private: only you see it here</Trans>
          </FactLine>
        ) : (
          <FactLine Icon={UserRound}>{ownerText(data, error)}</FactLine>
        ))}
    </div>
  )
}

function Destination({ node: { link, island } }: { node: NodeSummary }) {
  const href = link === '' ? undefined : safeLink(link)
  if (href === undefined) {
    return (
      <FactLine Icon={Link2Off}>
        <Trans>No link</Trans>
      </FactLine>
    )
  }
  const host = (
    <span dir="ltr" className="text-accent">
      {new URL(href).host}
    </span>
  )
  return (
    <FactLine Icon={ExternalLink}>
      {island === undefined ? <Trans>Leads to {host}</Trans> : <Trans>Also links to {host}</Trans>}
    </FactLine>
  )
}

function FactLine({ Icon, children }: { Icon: IconComponent; children: ReactNode }) {
  return (
    <p className="flex h-4 min-w-0 items-center gap-2">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 truncate">{children}</span>
    </p>
  )
}

/** From this age on the text shows a date with the year instead of a time of day. */
const longAgoMs = 300 * 86_400_000

function sinceText({ status, since }: PublicDeviceDetails): string {
  if (since === null) return ''
  const [sinceMs, nowMs] = [Date.parse(since), Date.now()]
  const time = nowMs - sinceMs > longAgoMs ? dayText(sinceMs) : timeText(sinceMs, { nowMs })
  return status === 'unknown' ? t`last heard from ${time}` : t`since ${time}`
}

function ownerText(details: PublicDeviceDetails | undefined, error: unknown): string {
  if (isGone(error)) return t`No longer public`
  if (details === undefined) return ''
  const { owner } = details
  return owner === null ? t`Its owner is not named` : t`Run by ${owner}`
}

/** A card reopened within this time sends no request. */
const freshMs = 60_000

function nodeDetailsQuery(id: string) {
  return queryOptions({
    queryKey: ['node-details', id],
    // Not aborted when the card closes, so that the next card can use the answer.
    queryFn: () => call(getPublicDevice, { params: { id } }),
    staleTime: freshMs,
  })
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}
