import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import Compass from 'virtual:icon/compass'
import { IslandSky } from '../../islands/island-card.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { loungeQuery } from '../../islands/lounge-query.ts'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Whether the path is that of Discover, which shows the lounge first, not of one of its categories. */
export function leadsToLounge(goal: string | undefined): boolean {
  const [path = ''] = goal?.split(/[?#]/, 1) ?? []
  return path.replace(/\/+$/, '') === paths.discover()
}

/** What Discover shows first. Keeps its space, so that the form does not move when it loads. */
export function LoungeAhead() {
  const { data, isPending } = useQuery(loungeQuery)
  const lounge = data?.islands[0]
  return (
    <div className="my-3 -me-10 flex items-center gap-4 rounded-control border border-line bg-ground/60 p-3">
      <IslandSky className="h-16 w-24 shrink-0 rounded-mark">
        {lounge !== undefined && (
          <IslandPicture picture={lounge.picture} kind={lounge.kind} className="h-full" />
        )}
        {lounge === undefined && !isPending && <Compass aria-hidden className="size-8" />}
      </IslandSky>
      <div className="flex h-16 min-w-0 flex-col justify-center gap-0.5">
        {isPending ? (
          <Skeleton className="h-5 w-36 max-w-full rounded-mark" />
        ) : (
          <>
            <p dir="auto" className="truncate font-medium text-ink">
              {lounge?.name ?? t`Discover`}
            </p>
            <p className="line-clamp-2 text-sm text-muted">
              {lounge === undefined ? (
                <Trans>Islands, the devices that they run on, and routes.</Trans>
              ) : (
                <Trans>Sign in, and this is the first place you see.</Trans>
              )}
            </p>
          </>
        )}
      </div>
    </div>
  )
}
