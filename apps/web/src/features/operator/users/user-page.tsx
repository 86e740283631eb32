import { getUser, listUserDevices, type OperatorUser } from '@astropelago/contract/operator'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import ArrowLeft from 'virtual:icon/arrow-left'
import { formatNumber } from '../../../language/format.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AtTime } from '../at-time.tsx'
import { DeviceItems } from '../devices.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey } from '../operator-query.ts'
import { linkStyles } from '../subject-details.tsx'
import { UserActions, UserRelay } from './user-actions.tsx'

export function UserPage({ username }: { username: string }) {
  const query = useQuery({
    queryKey: [operatorKey, 'user', username],
    queryFn: ({ signal }) => call(getUser, { params: { username }, signal }),
  })
  const { data: user, isPending, isFetching, error, refetch } = query
  const isGone = error instanceof ApiError && error.code === 'not_found'
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Link
        to={paths.mothership('users')}
        className="inline-flex items-center gap-2 self-start text-sm text-muted no-underline transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        <Trans>All users</Trans>
      </Link>
      {isPending && (
        <div data-awaited>
          <Skeleton className="h-72 w-full rounded-card" />
        </div>
      )}
      {isGone && (
        <EmptyState title={t`There is no account ${username}`}>
          <p>
            <Trans>It may have been deleted. The audit log says who did that, and when.</Trans>
          </p>
          <Link
            to={paths.mothership('audit', { subject: `user:${username}` })}
            className={buttonStyles({ variant: 'outline', size: 'sm' })}
          >
            <Trans>See the audit log</Trans>
          </Link>
        </EmptyState>
      )}
      {!isGone && user !== undefined && (
        <>
          <UserCard user={user} />
          {!user.isDemo && <UserRelay user={user} />}
          <UserDevices username={user.username} isOff={user.disabledAt !== null} />
        </>
      )}
      {!isGone && error !== null && (
        <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
          <Trans>This user could not be loaded.</Trans>
        </ErrorLine>
      )}
    </div>
  )
}

function UserCard({ user }: { user: OperatorUser }) {
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId}>
      {user.avatar !== null && (
        <Avatar username={user.username} image={user.avatar} hue={null} size="large" />
      )}
      <CardHeader
        id={titleId}
        title={user.username}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {user.name !== null && <bdi className="wrap-anywhere text-ink">{user.name}</bdi>}
            <UserMarks user={user} />
          </span>
        }
      />
      <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-4">
        <Fact name={t`Since`}>
          <AtTime at={user.createdAt} />
        </Fact>
        <Fact name={t`Last seen`}>
          {user.lastUsedAt === null ? '–' : <AtTime at={user.lastUsedAt} />}
        </Fact>
        <Fact name={t`Devices`}>{formatNumber(user.deviceCount)}</Fact>
        <Fact name={t`Sessions`}>{formatNumber(user.sessionCount)}</Fact>
      </dl>
      <UserActions user={user} />
      <Link
        to={paths.mothership('audit', { subject: `user:${user.username}` })}
        className={`self-start text-sm ${linkStyles}`}
      >
        <Trans>What was done to this account</Trans>
      </Link>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  )
}

/** How many to render at first, because a user can have a thousand devices. */
const shownAtFirst = 50

/** `isOff`: whether the account is disabled, which hides its devices. */
function UserDevices({ username, isOff }: { username: string; isOff: boolean }) {
  const query = useQuery({
    queryKey: [operatorKey, 'user-devices', username],
    queryFn: ({ signal }) => call(listUserDevices, { params: { username }, signal }),
  })
  const [shownCount, setShownCount] = useState(shownAtFirst)
  const devices = query.data ?? []
  const count = formatNumber(devices.length)
  return (
    <OperatorListCard
      of={t`The devices`}
      title={t`Devices`}
      description={t`Oldest first.`}
      query={query}
      isEmpty={devices.length === 0}
      empty={
        <p className="text-sm text-muted">
          <Trans>{username} has no devices.</Trans>
        </p>
      }
    >
      <DeviceItems
        name={t`Devices of ${username}`}
        devices={devices.slice(0, shownCount)}
        isOff={isOff}
      />
      {devices.length > shownCount && (
        <Button
          variant="outline"
          className="self-center"
          onClick={() => setShownCount(shownCount * 2)}
        >
          <Trans>Show more of {count}</Trans>
        </Button>
      )}
    </OperatorListCard>
  )
}

export function UserMarks({ user }: { user: OperatorUser }) {
  const { disabledAt, isOperator, isDemo, relayStopped, trustedAt } = user
  return (
    <>
      {disabledAt !== null && (
        <Mark isWarning>
          <Trans>turned off</Trans>
        </Mark>
      )}
      {relayStopped !== null && (
        <Mark isWarning>
          <Trans>relay stopped</Trans>
        </Mark>
      )}
      {trustedAt !== null && (
        <Mark>
          <Trans>trusted host</Trans>
        </Mark>
      )}
      {isOperator && (
        <Mark>
          <Trans>operator</Trans>
        </Mark>
      )}
      {isDemo && (
        <Mark>
          <Trans>demo</Trans>
        </Mark>
      )}
    </>
  )
}

function Mark({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center rounded-mark border px-1.5 text-xs whitespace-nowrap',
        isWarning ? 'border-danger/50 text-danger' : 'border-line-strong text-muted',
      )}
    >
      {children}
    </span>
  )
}
