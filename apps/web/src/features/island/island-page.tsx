import type { IslandView } from '@astropelago/contract/islands'
import { Slug } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import * as v from 'valibot'
import { islandQuery } from '../../islands/island-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useIslandStream } from '../../lib/live-feed/use-streams.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { IslandFront } from './island-front.tsx'
import { headerGrid } from './island-header.tsx'
import type { Reporting } from './log-line.tsx'
import { NothingHere } from './nothing-here.tsx'

interface IslandPageProps {
  report: Reporting
  alertsOf: (island: IslandView) => ReactNode
  /** From where others look at its link. */
  arcsOf?: (id: string) => ReactNode
}

export function IslandPage(props: IslandPageProps) {
  const { slug = '' } = useParams()
  const { success, output } = v.safeParse(Slug, slug)
  return success ? <IslandAt key={output} slug={output} {...props} /> : <NothingHere />
}

function IslandAt({ slug, ...parts }: IslandPageProps & { slug: string }) {
  const query = useQuery(islandQuery(slug))
  const { data: island, error } = query
  // Also if the viewer loses access while the page is open. It must disappear then.
  const isNotFound = error instanceof ApiError && error.code === 'not_found'
  // Also during a refetch, such as when the window regains focus, so that nothing flickers.
  const [wasNotFound, setWasNotFound] = useState(false)
  const [wasCached] = useState(island !== undefined)
  if (!query.isPending && wasNotFound !== isNotFound) setWasNotFound(isNotFound)
  const isNothing = isNotFound || (query.isPending && wasNotFound)
  useIslandStream(isNothing ? undefined : island?.id)
  if (isNothing) {
    return <NothingHere query={query} />
  }
  if (island === undefined) {
    return error === null ? (
      <IslandSkeleton />
    ) : (
      <NotLoaded isBusy={query.isFetching} onRetry={() => void query.refetch()} />
    )
  }
  // An old slug redirects to the new one.
  if (island.slug !== slug) return <Navigate to={paths.island(island.slug)} replace />
  const failure = error === null ? undefined : query
  return <IslandFront island={island} {...parts} isAtOnce={wasCached} failure={failure} />
}

function NotLoaded({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  usePageTitle(t`Not loaded`)
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">
        <Trans>This island could not be loaded</Trans>
      </h1>
      <p className="text-muted">
        <Trans>
          The connection failed, or the server is too busy. The island itself may be fine.
        </Trans>
      </p>
      <Button busy={isBusy} onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}

function IslandSkeleton() {
  usePageTitle(t`Island`)
  return (
    <>
      <output className="sr-only">
        <Trans>Loading the island…</Trans>
      </output>
      <div data-awaited className={headerGrid}>
        <Skeleton className="aspect-[10/9] w-full max-w-sm rounded-card" />
        <div className="flex flex-col gap-5">
          <Skeleton className="h-5 w-32 rounded-mark" />
          <Skeleton className="h-10 w-80 max-w-full rounded-control" />
          <Skeleton className="h-5 w-md max-w-full rounded-mark" />
          <Skeleton className="h-24 w-full rounded-control" />
        </div>
      </div>
      <Skeleton className="h-64 w-full rounded-card" />
    </>
  )
}
