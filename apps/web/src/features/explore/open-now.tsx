import type { IslandCard as Island } from '@astropelago/contract/islands'
import { loungeSlug } from '@astropelago/contract/pages'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import TreePalm from 'virtual:icon/tree-palm'
import { useLiveListedIslands } from '../../lib/islands/follow-listed-islands.ts'
import { publicIslandsQuery } from '../../lib/islands/public-islands-query.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { IslandCard, IslandCardSkeleton } from '../../ui/island-card.tsx'

const titleId = 'open-now'
const closedTitleId = 'not-open-now'
/** The rest is in Discover's directory. */
const shownMax = 6

/** Islands whose door is everybody's, signed in or not: those that can be entered at this moment, then the others. */
export function OpenNow() {
  const { data, error, isFetching, refetch } = useQuery(publicIslandsQuery)
  useLiveListedIslands()
  // While the lounge is not open its own card above is enough.
  const shown = data?.islands
    .filter(({ isOpen, slug }) => isOpen || slug !== loungeSlug)
    .slice(0, shownMax)
  const open = shown?.filter(({ isOpen }) => isOpen)
  const closed = shown?.filter(({ isOpen }) => !isOpen) ?? []
  return (
    <section
      aria-labelledby={titleId}
      aria-busy={(data === undefined && error === null) || undefined}
      className="flex flex-col gap-6"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div className="flex flex-col gap-1">
          <h2 id={titleId} className="text-title font-semibold">
            Open now
          </h2>
          <p className="text-muted">Islands that anybody can enter, whether signed in or not.</p>
        </div>
        {data !== undefined && data.total > shownMax && (
          <Link
            to={paths.discoverCategory('islands', { door: 'public' })}
            className={buttonStyles({ variant: 'outline', size: 'sm' })}
          >
            All {data.total} of them
          </Link>
        )}
      </div>
      {error !== null && (
        <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
          {data === undefined
            ? 'The islands could not be loaded.'
            : 'This could not be updated: it is what arrived last.'}
        </ErrorLine>
      )}
      {data === undefined && error === null && (
        <Grid>
          {/* One row, however many fit into it. */}
          {['', 'max-sm:hidden', 'max-lg:hidden'].map((fits) => (
            <li key={fits} className={fits}>
              <IslandCardSkeleton />
            </li>
          ))}
        </Grid>
      )}
      {open?.length === 0 && (
        <EmptyState
          icon={<TreePalm aria-hidden />}
          title="No island is open to everybody right now"
        >
          <p>Hosts come and go: look again later, or make one of your own.</p>
          <Link to={paths.newIsland()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
            Make an island
          </Link>
        </EmptyState>
      )}
      {open !== undefined && open.length > 0 && <Cards islands={open} />}
      {closed.length > 0 && (
        <section aria-labelledby={closedTitleId} className="mt-4 flex flex-col gap-4">
          <h2 id={closedTitleId} className="text-lg font-semibold">
            Not open right now
          </h2>
          <Cards islands={closed} />
        </section>
      )}
    </section>
  )
}

function Cards({ islands }: { islands: readonly Island[] }) {
  return (
    <Grid>
      {islands.map((island) => (
        <li key={island.id} className="min-w-0">
          <IslandCard island={island} link={Link} to={paths.island(island.slug)} />
        </li>
      ))}
    </Grid>
  )
}

function Grid({ children }: { children: ReactNode }) {
  return <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>
}
