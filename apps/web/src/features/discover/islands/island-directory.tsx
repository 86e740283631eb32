import { Link } from 'react-router'
import SearchX from 'virtual:icon/search-x'
import TreePalm from 'virtual:icon/tree-palm'
import { islandsOf, useDirectory } from '../../../islands/directory-query.ts'
import { useLiveListedIslands } from '../../../islands/follow-listed-islands.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IslandCard, IslandCardSkeleton } from '../../../islands/island-card.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { DirectoryFilterBar, useDirectoryFilter } from './directory-filter.tsx'

const gridLook = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'
const skeletons = [0, 1, 2, 3, 4, 5]

/** All listed islands, filtered by kind and state, sorted by age. */
export function IslandDirectory() {
  const [filter, change] = useDirectoryFilter()
  const query = useDirectory(filter)
  useLiveListedIslands()
  const pages = query.data?.pages ?? []
  const islands = islandsOf(pages)
  const isFiltered = filter.kind !== undefined || filter.isOpenOnly || filter.isPublicOnly
  return (
    <>
      <DirectoryFilterBar filter={filter} onChange={change} total={pages.at(-1)?.total} />
      <LoadedList
        of="The islands"
        query={query}
        isEmpty={islands.length === 0}
        skeleton={
          <div className={gridLook}>
            {skeletons.map((place) => (
              <IslandCardSkeleton key={place} />
            ))}
          </div>
        }
        empty={
          isFiltered ? (
            <NoneFound onReset={() => change({ kind: '', state: '', access: '' })} />
          ) : (
            <NoIslands />
          )
        }
      >
        <ul className={gridLook}>
          {islands.map((island) => (
            <li key={island.id} className="min-w-0">
              <IslandCard island={island} link={Link} to={paths.island(island.slug)} />
            </li>
          ))}
        </ul>
      </LoadedList>
    </>
  )
}

function NoIslands() {
  return (
    <EmptyState icon={<TreePalm aria-hidden />} title="No islands in the directory yet">
      <p>
        Islands appear here when their host lets people find them. Yours can be the first. It is a
        draft that only you see until you publish it.
      </p>
      <Link to={paths.newIsland()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
        Make an island
      </Link>
    </EmptyState>
  )
}

function NoneFound({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState icon={<SearchX aria-hidden />} title="No island fits">
      <p>No island matches all of these filters.</p>
      <Button variant="outline" size="sm" onClick={onReset}>
        Show all islands
      </Button>
    </EmptyState>
  )
}
