import { loungeSlug } from '@astropelago/contract/pages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import TreePalm from 'virtual:icon/tree-palm'
import { islandsOf, useDirectory } from '../../islands/directory-query.ts'
import { FirstIslandLink } from '../../islands/first-island-link.tsx'
import { useLiveListedIslands } from '../../islands/follow-listed-islands.ts'
import { cardGrid, IslandCards, IslandCardSkeleton } from '../../islands/island-card.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { NeighbourFilter } from '../../neighbours/neighbour-filter.tsx'
import { NeighboursBelow } from '../../neighbours/neighbours-below.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { Section } from './section.tsx'

const closedTitleId = 'not-open-now'
const forEverybody = {
  kind: undefined,
  isOpenOnly: false,
  isPublicOnly: true,
  sort: 'open',
} as const

const openAtNeighbours = { isOpenOnly: true, isPublicOnly: true, limit: 6 } as const

export function OpenNow() {
  const [from, setFrom] = useState('all')
  const query = useDirectory(forEverybody)
  useLiveListedIslands()
  // A closed lounge is left out, because its own card above is enough.
  const shown = islandsOf(query.data?.pages ?? []).filter(
    ({ isOpen, slug }) => isOpen || slug !== loungeSlug,
  )
  const others = shown.filter(({ slug }) => slug !== loungeSlug)
  const open = shown.filter(({ isOpen }) => isOpen)
  const closed = shown.filter(({ isOpen }) => !isOpen)
  return (
    <Section
      id="open-now"
      title={t`Open now`}
      lead={t`Islands that anybody can enter, whether signed in or not.`}
      isBusy={query.isPending}
      action={
        <div className="flex flex-wrap items-center gap-3">
          <NeighbourFilter value={from} onChange={setFrom} className="flex w-60 gap-2" />
          <LinkButton to={paths.discoverCategory('charts')} variant="outline" size="sm">
            <Trans>Star chart</Trans>
          </LinkButton>
        </div>
      }
    >
      <LoadedList
        of={t`The islands`}
        query={query}
        isEmpty={shown.length === 0}
        empty={<MakeOne isFirst />}
        skeleton={
          <ul className={cardGrid}>
            {/* A single row with as many as fit. */}
            {['', 'max-sm:hidden', 'max-lg:hidden'].map((fits) => (
              <li key={fits} className={fits}>
                <IslandCardSkeleton />
              </li>
            ))}
          </ul>
        }
      >
        {open.length === 0 ? (
          <NoneOpen />
        ) : (
          <IslandCards islands={open}>
            {others.length < few && <MakeOne isFirst={others.length === 0} />}
          </IslandCards>
        )}
        {closed.length > 0 && (
          <section aria-labelledby={closedTitleId} className="mt-4 flex flex-col gap-4">
            <h2 id={closedTitleId} className="text-lg font-semibold">
              <Trans>Not open right now</Trans>
            </h2>
            <IslandCards islands={closed} />
          </section>
        )}
      </LoadedList>
      <NeighboursBelow title={t`Open at neighbours`} from={from} filter={openAtNeighbours} />
    </Section>
  )
}

/** Below this number, the list invites to make another island. */
const few = 3

function MakeOne({ isFirst = false }: { isFirst?: boolean }) {
  return (
    <EmptyState
      icon={<TreePalm aria-hidden />}
      title={isFirst ? t`Be the first: make an island in a minute` : t`Make an island in a minute`}
    >
      <p>
        <Trans>Choose what it will be and give it a name. You decide who may enter.</Trans>
      </p>
      <LinkButton to={paths.newIsland()} variant="outline" size="sm">
        <Trans>Make an island</Trans>
      </LinkButton>
      <FirstIslandLink />
    </EmptyState>
  )
}

function NoneOpen() {
  return (
    <EmptyState icon={<TreePalm aria-hidden />} title={t`No island is open to everybody right now`}>
      <p>
        <Trans>Hosts come and go. Look again later, or make an island of your own.</Trans>
      </p>
      <LinkButton to={paths.newIsland()} variant="outline" size="sm">
        <Trans>Make an island</Trans>
      </LinkButton>
    </EmptyState>
  )
}
