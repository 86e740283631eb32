import { safeLink } from '@astropelago/contract/devices'
import type { NeighbourIsland } from '@astropelago/contract/neighbours'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import ExternalLink from 'virtual:icon/external-link'
import { cardGrid, IslandCardSkeleton, IslandSky } from '../islands/island-card.tsx'
import { KindMark, StateMark } from '../islands/island-marks.tsx'
import { IslandPicture } from '../islands/island-picture.tsx'
import { accessWords } from '../islands/island-words.ts'
import { classNames } from '../ui/class-names.ts'
import { LoadedList } from '../ui/loaded-list.tsx'
import { elsewhere } from './elsewhere.ts'
import {
  islandsOfPages,
  type NeighbourIslandFilter,
  neighbourIslandsQuery,
} from './neighbour-islands-query.ts'
import { NeighbourName } from './neighbour-name.tsx'
import { useNeighbour } from './use-neighbours.ts'

interface NeighbourIslandsProps {
  readonly title: string
  readonly filter: NeighbourIslandFilter
}

/** Islands of neighbours, apart from this installation's. */
export function NeighbourIslands({ title, filter }: NeighbourIslandsProps) {
  const titleId = useId()
  const query = useInfiniteQuery(neighbourIslandsQuery(filter))
  const pages = query.data?.pages ?? []
  const islands = islandsOfPages(pages)
  const total = pages.at(-1)?.total
  return (
    <section aria-labelledby={titleId} className="mt-4 flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        <output data-numeric className="text-sm text-muted">
          {total !== undefined &&
            plural(total, { one: '# island of neighbours', other: '# islands of neighbours' })}
        </output>
      </div>
      <LoadedList
        of={t`The islands of neighbours`}
        query={query}
        isEmpty={islands.length === 0}
        empty={
          <p className="text-sm text-muted">
            <Trans>No island of a neighbour fits.</Trans>
          </p>
        }
        skeleton={
          <div className={cardGrid}>
            <IslandCardSkeleton />
          </div>
        }
      >
        <ul className={cardGrid}>
          {islands.map((island) => (
            <li key={island.id} className="min-w-0">
              <NeighbourIslandCard island={island} />
            </li>
          ))}
        </ul>
      </LoadedList>
    </section>
  )
}

function NeighbourIslandCard({ island }: { island: NeighbourIsland }) {
  const { name, kind, picture, tagline, access, isOpen } = island
  const neighbour = useNeighbour(island.neighbour)
  return (
    <article
      aria-label={name}
      className="group relative flex h-full min-w-0 flex-col overflow-hidden rounded-card border border-dashed border-line-strong bg-panel/85 transition-colors focus-within:border-edge hover:border-edge"
    >
      <IslandSky className="h-28">
        <IslandPicture
          picture={picture}
          kind={kind}
          className={classNames('h-full', !isOpen && 'opacity-50')}
        />
      </IslandSky>
      <div className="flex flex-1 flex-col gap-2 p-5">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <KindMark kind={kind} />
          <StateMark state={isOpen ? 'open' : 'closed'} />
        </div>
        <h3 dir="auto" className="text-lg font-semibold break-words">
          <a
            href={safeLink(island.url)}
            {...elsewhere}
            className="text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
            <span className="sr-only">
              {' '}
              <Trans>(opens in a new tab)</Trans>
            </span>
          </a>
        </h3>
        {tagline !== '' && (
          <p dir="auto" className="line-clamp-2 text-sm break-words text-muted">
            {tagline}
          </p>
        )}
        <p className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pt-2 text-sm text-muted">
          {neighbour && <NeighbourName neighbour={neighbour} className="text-ink" />}
          <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
            {accessWords[access].name}
            <ExternalLink aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          </span>
        </p>
      </div>
    </article>
  )
}
