import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@astropelago/contract/sessions'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, type UseQueryResult } from '@tanstack/react-query'
import Monitor from 'virtual:icon/monitor'
import Smartphone from 'virtual:icon/smartphone'
import SquareTerminal from 'virtual:icon/square-terminal'
import { call } from '../../lib/call.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { useRemoval } from '../../lib/use-removal.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

const clockMs = 30_000

export function SessionsCard({ query }: { query: UseQueryResult<Session[]> }) {
  const nowMs = useNow(clockMs)
  const showToast = useToast()
  const { data: sessions = [] } = query
  const own = sessions.filter(({ isCurrent }) => isCurrent)
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  const ending = useRemoval(
    sessionsQuery,
    () => call(endOtherSessions),
    (session) => session.isCurrent,
    ({ ended: count }) =>
      showToast({
        title: plural(count, { one: 'One session ended', other: '# sessions ended' }),
      }),
  )
  return (
    <Card
      title={t`Where you are signed in`}
      description={t`Each browser where you are signed in has a session. So has a command that reports with your session.`}
    >
      {sessions.length > 0 && (
        <ul aria-label={t`Sessions`} className="flex min-w-0 flex-col border-y border-line">
          {[...own, ...others].map((session) => (
            <SessionItem key={session.id} session={session} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="sessions" />
      {others.length > 1 && (
        <div className="flex min-w-0 flex-wrap">
          <AskFirst
            label={t`End all others`}
            name={t`End all other sessions`}
            keep={t`Keep them`}
            confirm={plural(others.length, { one: 'End # session', other: 'End # sessions' })}
            busy={ending.isPending}
            onConfirm={() => ending.mutate()}
          >
            <Trans>
              Every other browser is signed out. Commands that report with a session stop.
            </Trans>
          </AskFirst>
        </div>
      )}
      <FormError>{ending.isError ? accountFailure(ending.error) : undefined}</FormError>
    </Card>
  )
}

function SessionItem({ session, nowMs }: { session: Session; nowMs: number }) {
  const { id, device, addressFamily, createdAt, lastUsedAt, isCurrent } = session
  const showToast = useToast()
  const ending = useRemoval(
    sessionsQuery,
    (ended: string) => call(endSession, { params: { id: ended } }),
    (item, ended) => item.id !== ended,
    () => showToast({ title: t`Session ended` }),
  )
  const name = device ?? t`Unknown browser`
  const timeAgo = <TimeAgo at={createdAt} nowMs={nowMs} />
  return (
    <RemovableItem error={ending.isError ? accountFailure(ending.error) : undefined}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 items-start gap-3.5">
          <DeviceIcon device={device ?? ''} />
          <div className="flex min-w-0 flex-col gap-0.5">
            <span className="text-sm font-medium wrap-anywhere">{name}</span>
            <span className="text-xs text-muted">
              {addressFamily === null ? (
                <Trans>signed in {timeAgo}</Trans>
              ) : (
                <Trans>
                  signed in {timeAgo} over {addressFamily}
                </Trans>
              )}
              , {isCurrent ? t`in use now` : <LastUse at={lastUsedAt} nowMs={nowMs} />}
            </span>
          </div>
        </div>
        {isCurrent ? (
          <span className="rounded-full border border-accent/40 bg-accent-soft px-2.5 py-0.5 text-xs">
            <Trans>This browser</Trans>
          </span>
        ) : (
          <AskFirst
            label={t`End`}
            name={t`End the session of ${name}`}
            keep={t`Keep it`}
            confirm={t`End session`}
            busy={ending.isPending}
            onConfirm={() => ending.mutate(id)}
          >
            <Trans>
              This browser is signed out at once. A command that reports with this session stops.
            </Trans>
          </AskFirst>
        )}
      </div>
    </RemovableItem>
  )
}

const hourMs = 3_600_000

/** The server rounds the time to the hour, so minutes would be false precision. */
function LastUse({ at, nowMs }: { at: string; nowMs: number }) {
  if (nowMs - Date.parse(at) < hourMs) return t`used within the last hour`
  return (
    <Trans>
      last used <TimeAgo at={at} nowMs={nowMs} />
    </Trans>
  )
}

function DeviceIcon({ device }: { device: string }) {
  const look = {
    'aria-hidden': true,
    strokeWidth: 1.75,
    className: 'mt-0.5 size-5 shrink-0 text-muted',
  } as const
  if (/curl|wget|script|command/i.test(device)) return <SquareTerminal {...look} />
  const isHandheld = /android|iphone|ipad|ios|phone|mobile/i.test(device)
  return isHandheld ? <Smartphone {...look} /> : <Monitor {...look} />
}
