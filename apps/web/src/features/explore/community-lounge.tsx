import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import { StateMark } from '../../islands/island-marks.tsx'
import { islandState } from '../../islands/island-words.ts'
import { loungeQuery } from '../../islands/lounge-query.ts'
import { PeopleHere } from '../../islands/people-here.tsx'
import { isNoted, PauseNote } from '../../islands/pause-note.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { LoungeScene } from './lounge-scene.tsx'

const titleId = 'community-lounge'
const loungeName = t`Community Lounge`

export function CommunityLounge() {
  const island = useQuery(loungeQuery).data?.islands[0]
  const name = island?.name ?? loungeName
  const state = island && islandState(island)
  return (
    <section
      aria-labelledby={titleId}
      className="relative isolate overflow-hidden rounded-card border border-line bg-panel shadow-raised"
    >
      <LoungeScene className="h-44 w-full sm:h-72 md:h-96 lg:absolute lg:inset-y-0 lg:end-0 lg:-z-10 lg:h-full lg:w-[62%]" />
      <div className="flex flex-col items-start gap-5 p-6 sm:p-8 lg:max-w-[46%] lg:px-12 lg:py-12">
        <p className="rounded-full bg-island-soft px-3 py-1 text-xs font-medium text-island">
          <Trans>Featured island</Trans>
        </p>
        <h2 id={titleId} className="text-heading font-semibold">
          {island === undefined ? (
            name
          ) : (
            <Link
              to={paths.island(island.slug)}
              className="text-ink no-underline decoration-2 underline-offset-4 hover:underline"
            >
              {name}
            </Link>
          )}
        </h2>
        <p className="text-muted">
          <Trans>
            Meet other Navigators, hear what is new, and find out which islands are worth the trip.
          </Trans>
        </p>
        {/* Keeps its space, so that nothing moves when the state loads. */}
        <p className="flex min-h-6 flex-wrap gap-x-4 gap-y-1 text-sm">
          {state !== undefined && state !== 'unbuilt' && <StateMark state={state} />}
          {island !== undefined && <PeopleHere islandId={island.id} />}
          {island !== undefined && isNoted(island.pause) && (
            <span className="wrap-anywhere">
              <PauseNote pause={island.pause} />
            </span>
          )}
        </p>
        <div className="mt-2 flex flex-wrap gap-3">
          <LinkButton to={paths.discover()}>
            <Trans>Join now</Trans>
            <ArrowRight aria-hidden />
          </LinkButton>
          <LinkButton to={paths.tavern()} reloadDocument variant="outline">
            <Trans>
              Learn more
              <span className="sr-only"> about {name}</span>
            </Trans>
          </LinkButton>
        </div>
      </div>
    </section>
  )
}
