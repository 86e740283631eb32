import type { OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { EmbedCard, NoEmbeds } from '../../lib/embed-card.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { NothingHere, NotLoaded } from '../../lib/page-failures.tsx'
import { useSession } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CheckHeader } from './check-header.tsx'
import { CheckPast } from './check-past.tsx'
import { checkQuery } from './check-queries.ts'
import { LocationsCard } from './locations-card.tsx'
import { ReportsCard } from './reports-card.tsx'

interface CheckPageProps {
  /** What another feature shows its owner. */
  alertsOf?: (check: OwnCheck) => ReactNode
}

export function CheckPage(props: CheckPageProps) {
  const { id = '' } = useParams()
  return <CheckAt key={id} id={id} {...props} />
}

function CheckAt({ id, alertsOf }: CheckPageProps & { id: string }) {
  const { state } = useSession()
  // Until the session is known, it may be the viewer's own private check.
  const query = useQuery({
    ...checkQuery(id, state === 'signed-in'),
    enabled: state !== 'checking',
  })
  const { data, error, isFetching } = query
  const again = { isBusy: isFetching, onLookAgain: () => void query.refetch() }
  // Even while refetching: something the viewer may no longer see must not stay on the screen.
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <NothingHere
        text={t`There is no check at this address, or it is private.`}
        own={
          <LinkButton to={paths.checks()}>
            <Trans>Your checks</Trans>
          </LinkButton>
        }
        {...again}
      />
    )
  }
  if (data === undefined) {
    return error === null ? (
      <CheckSkeleton />
    ) : (
      <NotLoaded
        title={t`This check could not be loaded`}
        text={t`The connection failed, or the server is too busy. What it watches may be fine.`}
        {...again}
      />
    )
  }
  const { check, own } = data
  return (
    <div className="flex flex-col gap-6">
      <CheckHeader check={check} own={own} />
      {error !== null && (
        <ErrorLine query={query}>
          <Trans>This check could not be updated, so this may be out of date.</Trans>
        </ErrorLine>
      )}
      <CheckPast
        check={check}
        beside={
          <>
            {own?.target.kind === 'push' && <ReportsCard id={id} periodS={own.target.periodS} />}
            {own && alertsOf?.(own)}
            <LocationsCard check={check} own={own} />
            <CheckEmbeds check={check} own={own} />
          </>
        }
      />
    </div>
  )
}

function CheckSkeleton() {
  usePageTitle(t`Check`)
  return (
    <div data-awaited className="flex flex-col gap-6">
      <output className="sr-only">
        <Trans>Loading the check…</Trans>
      </output>
      <div className="flex flex-col gap-3 pb-2">
        <Skeleton className="h-10 w-80 max-w-full rounded-control" />
        <Skeleton className="h-5 w-56 rounded-mark" />
      </div>
      <Skeleton className="h-32 w-full rounded-card" />
      <Skeleton className="h-64 w-full rounded-card" />
    </div>
  )
}

function CheckEmbeds({ check, own }: { check: PublicCheck; own: OwnCheck | null }) {
  const { id, name, status, since } = check
  if (own?.visibility === 'private') {
    return (
      <NoEmbeds>
        <Trans>Only you see this check, so it has no badge. Show it to everybody to get one.</Trans>
      </NoEmbeds>
    )
  }
  return (
    <EmbedCard
      of={{
        name,
        page: paths.check(id),
        statusBadge: paths.checkStatusBadge(id),
        uptimeBadge: paths.checkUptimeBadge(id),
      }}
      state={`${name} ${status} ${since}`}
    />
  )
}
