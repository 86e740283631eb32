import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import Compass from 'virtual:icon/compass'
import { IslandSky } from '../../islands/island-card.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { loungeQuery } from '../../islands/lounge-query.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'

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
    <div className="my-3 -me-10 flex items-center gap-3 rounded-control border border-line bg-ground/60 p-3 sm:gap-4">
      <IslandSky className="h-16 w-16 shrink-0 rounded-mark sm:w-24">
        {lounge !== undefined && (
          <IslandPicture picture={lounge.picture} kind={lounge.kind} className="h-full" />
        )}
        {lounge === undefined && !isPending && <Compass aria-hidden className="size-8" />}
      </IslandSky>
      <div className={classNames('flex min-w-0 flex-col gap-0.5', isPending && 'invisible')}>
        <p dir="auto" className="truncate font-medium text-ink">
          {lounge?.name ?? t`Discover`}
        </p>
        <p>
          {lounge === undefined && !isPending
            ? t`Islands, devices and the routes between them.`
            : t`Sign in, and this is the first place you see.`}
        </p>
      </div>
    </div>
  )
}
