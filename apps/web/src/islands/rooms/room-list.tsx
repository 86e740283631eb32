import type { Room } from '@astropelago/contract/rooms'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import MessagesSquare from 'virtual:icon/messages-square'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type RoomsOf, roomsQuery } from './rooms-queries.ts'

export function RoomList({ of }: { of: RoomsOf }) {
  const query = useQuery(roomsQuery(of))
  const nowMs = useNow()
  const { data: rooms = [] } = query
  return (
    <ListCard
      title={t`Rooms`}
      description={t`Where visitors talk on the island’s pages. The last changed comes first.`}
      of={t`The rooms`}
      query={query}
      isEmpty={rooms.length === 0}
      skeleton={<SkeletonRows label={t`Loading the rooms…`} count={3} className="h-10" />}
      empty={
        <EmptyState icon={<MessagesSquare aria-hidden />} title={t`No rooms yet`}>
          <Trans>
            In a room, everybody on a page sees who is there and what the others write. A page makes
            one with <code className="font-mono text-ink">spark.room('guests')</code>. You see it
            here once somebody wrote there.
          </Trans>
        </EmptyState>
      }
    >
      <ul aria-label={t`Rooms`} className="flex min-w-0 flex-col border-y border-line">
        {rooms.map((room) => (
          <RoomItem key={room.name} room={room} nowMs={nowMs} />
        ))}
      </ul>
    </ListCard>
  )
}

function RoomItem({ room, nowMs }: { room: Room; nowMs: number }) {
  const { search, state } = useLocation()
  const parameters = new URLSearchParams(search)
  parameters.set('room', room.name)
  return (
    <li className="flex min-w-0 flex-col gap-0.5 border-b border-line py-3.5 last:border-0">
      <Link
        to={{ search: parameters.toString() }}
        state={state}
        className="self-start text-sm font-medium wrap-anywhere text-ink underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current"
      >
        <bdi>{room.name}</bdi>
      </Link>
      <span data-numeric className="text-xs text-muted">
        <RoomFacts room={room} nowMs={nowMs} />
      </span>
    </li>
  )
}

/** '3 people now · 12 messages · last active 5 minutes ago · read-only' */
export function RoomFacts({ room, nowMs }: { room: Room; nowMs: number }) {
  const { peopleCount, messageCount, changedAt, isReadOnly } = room
  return (
    <>
      <Plural value={peopleCount} _0="Nobody now" one="# person now" other="# people now" />
      {' · '}
      <Plural value={messageCount} one="# message" other="# messages" />
      {' · '}
      <Trans>
        last active <TimeAgo at={changedAt} nowMs={nowMs} />
      </Trans>
      {isReadOnly && ` · ${t`read-only`}`}
    </>
  )
}
