import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import CircleOff from 'virtual:icon/circle-off'
import EyeOff from 'virtual:icon/eye-off'
import UserRoundPlus from 'virtual:icon/user-round-plus'
import { JoinRequestItem } from '../../islands/join-request-item.tsx'
import { IslandName } from '../../islands/log-entry.tsx'
import { joinRequestsQuery } from '../../islands/people-queries.ts'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function AttentionList({ items }: { items: readonly Attention[] }) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <h3 id={id} className="text-xs font-medium tracking-normal text-muted">
        <Trans>Needs your attention</Trans>
      </h3>
      <ul aria-labelledby={id} className="flex flex-col gap-2">
        {items.map((item) => (
          <li
            key={`${item.kind}-${item.island.id}`}
            className="flex min-w-0 flex-col gap-3 rounded-control border border-line-strong bg-raised p-3.5 text-sm"
          >
            <Concern item={item} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Concern({ item }: { item: Attention }): ReactNode {
  const { island } = item
  const { requestCount, since, carrier } = island
  const name = <IslandName island={island} />
  switch (item.kind) {
    case 'hidden':
      return (
        <Line icon={<EyeOff aria-hidden />}>
          <Trans>
            {name} is hidden from everybody but you. The operator of this server says:{' '}
            <span className="wrap-anywhere">“{item.reason}”</span>
          </Trans>
        </Line>
      )
    case 'requests':
      return (
        <>
          <Line icon={<UserRoundPlus aria-hidden />}>
            <Trans>
              <Plural value={requestCount} one="Somebody asks" other="# people ask" /> to join{' '}
              {name}.
            </Trans>
          </Line>
          <WaitingRequests island={island} />
        </>
      )
    case 'closed':
  }
  return (
    <Line icon={<CircleOff aria-hidden />}>
      {since === null ? (
        <Trans>{name} is closed.</Trans>
      ) : (
        <Trans>
          {name} is closed since <LocalTime at={since} />.
        </Trans>
      )}{' '}
      {carrier !== null && (
        <Trans>
          Its device, <bdi className="font-medium">{carrier.label}</bdi>, is offline.
        </Trans>
      )}
    </Line>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 [&_svg]:mt-0.75 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-island">
      {icon}
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  )
}

type Attention =
  | { readonly kind: 'hidden'; readonly island: OwnIsland; readonly reason: string }
  | { readonly kind: 'requests'; readonly island: OwnIsland }
  | { readonly kind: 'closed'; readonly island: OwnIsland }

const order: readonly Attention['kind'][] = ['hidden', 'requests', 'closed']

/** Most serious first. */
export function attentionOf(islands: readonly OwnIsland[]): readonly Attention[] {
  return islands
    .flatMap(concerns)
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

function concerns(island: OwnIsland): readonly Attention[] {
  const { hidden, requestCount, publishedAt, isWatched, isOpen, pause } = island
  const isKnown = publishedAt !== null && hidden === null
  // A closed island matters only if others can see it and its host has not paused it.
  const isMissed = isKnown && isWatched && !isOpen && pause === null
  return [
    ...(hidden === null ? [] : [{ kind: 'hidden', island, reason: hidden.reason } as const]),
    ...(requestCount > 0 ? [{ kind: 'requests', island } as const] : []),
    ...(isMissed ? [{ kind: 'closed', island } as const] : []),
  ]
}

function WaitingRequests({ island: { id, name } }: { island: OwnIsland }) {
  const query = useQuery(joinRequestsQuery(id))
  const requests = query.data ?? []
  return (
    <LoadedList
      of={t`The requests`}
      query={query}
      isEmpty={requests.length === 0}
      skeleton={<Skeleton className="h-10 w-full rounded-mark" />}
      empty={null}
    >
      <ul aria-label={t`Requests to join ${name}`} className="flex flex-col border-t border-line">
        {requests.map((request) => (
          <JoinRequestItem key={request.username} islandId={id} request={request} />
        ))}
      </ul>
    </LoadedList>
  )
}
