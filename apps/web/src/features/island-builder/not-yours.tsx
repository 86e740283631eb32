import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { LinkButton } from '../../lib/link-button.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import Compass from 'virtual:icon/compass'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** What a page of an own island shows while there is none: loading, a failure, or that it is not theirs. */
export function NoOwnIsland({ query }: { query: UseQueryResult }) {
  if (query.isSuccess) return <NotYours />
  return (
    <>
      <Skeleton className="h-20 w-72 max-w-full rounded-card" />
      <ListFailure query={query} of="islands" />
      {query.isPending && <Skeleton className="h-96 w-full rounded-card" />}
    </>
  )
}

/** For an island that isn't the user's or doesn't exist, without saying which. */
export function NotYours() {
  return (
    <>
      <PageHeader title={t`Nothing here, or not yours`} />
      <EmptyState icon={<Compass aria-hidden />} title={t`None of your islands has this address`}>
        <Trans>It was deleted, or it belongs to somebody else.</Trans>
        <span className="flex flex-wrap justify-center gap-3">
          <LinkButton to={paths.dashboard()} variant="outline" size="sm">
            <Trans>Your islands</Trans>
          </LinkButton>
          <LinkButton to={paths.newIsland()} size="sm">
            <Trans>Make an island</Trans>
          </LinkButton>
        </span>
      </EmptyState>
    </>
  )
}
