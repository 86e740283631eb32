import { readyz } from '@astropelago/contract/health'
import type { ServerHealth } from '@astropelago/contract/operator'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CircleMinus from 'virtual:icon/circle-minus'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { formatNumber } from '../../../language/format.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Card } from '../../../ui/card.tsx'
import { AtTime } from '../at-time.tsx'
import { operatorKey, overviewPollMs } from '../operator-query.ts'

/** A server refuses calls once its view of the other servers is older than this. */
const behindMaxMs = 1000

interface State {
  readonly is: 'well' | 'off' | 'ill'
  readonly text: ReactNode
}

export function HealthCard({ health }: { health: ServerHealth | undefined }) {
  // This route answers even if the storage is down and all others fail.
  const ready = useQuery({
    queryKey: [operatorKey, 'ready'],
    queryFn: ({ signal }) => call(readyz, { signal }),
    refetchInterval: overviewPollMs,
    retry: false,
  })
  return (
    <Card
      title={t`Health`}
      description={t`As the server that answers you has seen it since its start.`}
    >
      <dl className="flex min-w-0 flex-col gap-4 text-sm">
        <Line name={t`Storage`} state={storageState(ready.error, health?.storage)} />
        <Line name={t`E-mail`} state={health && mailState(health.mail)} />
        <Line name={t`Servers`} state={health && clusterState(health.cluster)} />
      </dl>
    </Card>
  )
}

const icons = {
  well: <CircleCheck aria-hidden className="size-4 text-online" />,
  off: <CircleMinus aria-hidden className="size-4 text-muted" />,
  ill: <TriangleAlert aria-hidden className="size-4 text-danger" />,
} as const

function Line({ name, state }: { name: string; state: State | undefined }) {
  return (
    <div className="grid min-w-0 grid-cols-[1.5rem_minmax(0,1fr)] sm:grid-cols-[1.5rem_6rem_minmax(0,1fr)]">
      <dt className="contents">
        <span className="flex h-5 items-center">{state && icons[state.is]}</span>
        <span className="font-medium text-ink">{name}</span>
      </dt>
      <dd className="col-start-2 text-muted sm:col-start-3" data-numeric>
        {state?.text ?? (
          <span data-awaited>
            <Skeleton className="h-5 w-48 max-w-full rounded-mark" />
          </span>
        )}
      </dd>
    </div>
  )
}

const well = (text: ReactNode): State => ({ is: 'well', text })
const ill = (text: ReactNode): State => ({ is: 'ill', text })

function storageState(
  error: Error | null,
  storage: ServerHealth['storage'] | undefined,
): State | undefined {
  if (error instanceof ApiError) {
    return ill(t`It does not answer. Nothing can be read or written. The server’s log says why.`)
  }
  if (error !== null) return ill(t`The server does not answer.`)
  if (storage === undefined) return undefined
  const { kind, answeredInMs, waiting, failures } = storage
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const ms = formatNumber(answeredInMs)
  const parts = [
    answeredInMs === 0 ? t`${name} answers at once.` : t`${name} answers in ${ms} ms.`,
    waiting > 0 && plural(waiting, { one: '# call waits for it.', other: '# calls wait for it.' }),
    failures > 0 &&
      plural(failures, {
        one: '# call has failed since the start.',
        other: '# calls have failed since the start.',
      }),
  ]
  return { is: failures > 0 ? 'ill' : 'well', text: parts.filter(Boolean).join(' ') }
}

function mailState({ isOn, lastSentAt, failure }: ServerHealth['mail']): State {
  if (!isOn) {
    return {
      is: 'off',
      text: t`No e-mail is sent. To send e-mail, set SMTP_URL to a mail server.`,
    }
  }
  if (failure !== null) {
    return ill(
      <Trans>
        The last e-mail could not be sent, <AtTime at={failure.at} />:{' '}
        <q className="wrap-break-word text-ink">{failure.reason}</q>
      </Trans>,
    )
  }
  if (lastSentAt === null) return well(t`No e-mail was sent since the start.`)
  return well(
    <Trans>
      The last e-mail was sent <AtTime at={lastSentAt} />.
    </Trans>,
  )
}

function clusterState({ size, leads, behindMs }: ServerHealth['cluster']): State {
  if (behindMs > behindMaxMs) {
    const behind = formatNumber(Math.round(behindMs / 1000))
    return ill(t`This server has been cut off from its database for ${behind} s.`)
  }
  if (size === 1 && !leads) {
    return ill(t`No server leads. Devices do not go offline, and no alerts are sent.`)
  }
  if (size === 1) return well(t`This server works alone.`)
  const share = plural(size, { other: '# servers share the database.' })
  const leader = leads
    ? t`This one leads: it decides when devices go offline, and sends alerts.`
    : t`Another one leads: it decides when devices go offline, and sends alerts.`
  return well(`${share} ${leader}`)
}
