import { type IslandKind, listAllIslands } from '@astropelago/contract/operator-islands'
import SearchX from 'virtual:icon/search-x'
import TreePalm from 'virtual:icon/tree-palm'
import { call } from '../../../lib/call.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListFilter, SearchField, useChoiceInAddress, useSearchInAddress } from '../list-filter.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { useSearchedPages } from '../operator-query.ts'
import { IslandItem } from './island-item.tsx'

const kinds: Readonly<Record<IslandKind, string>> = {
  listed: 'Listed',
  unlisted: 'Not listed',
  drafts: 'Drafts',
  hidden: 'Hidden, or its host is off',
}

export function Islands() {
  const { field, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const query = useSearchedPages({
    list: 'islands',
    filter: { search: wanted, only },
    fetchPage: (asked, signal) => call(listAllIslands, { query: asked, signal }),
    nextOf: ({ islands: page, hasMore }) => (hasMore ? page.at(-1)?.id : undefined),
  })
  const islands = query.data?.pages.flatMap((page) => page.islands) ?? []
  return (
    <OperatorListCard
      title="Islands"
      description="Every island, the newest first. You see what each one is and who hosts it, but not its log and its members."
      filters={
        <SearchField label="Search islands" placeholder="In name, address or host" {...field}>
          <ListFilter name="only" label="Show" without="All of them" choices={kinds} />
        </SearchField>
      }
      query={query}
      isEmpty={islands.length === 0}
      empty={<NoIslands isSearched={wanted !== ''} isFiltered={only !== undefined} />}
    >
      <ul aria-label="Islands" className="flex flex-col">
        {islands.map((island) => (
          <IslandItem key={island.id} island={island} />
        ))}
      </ul>
    </OperatorListCard>
  )
}

function NoIslands({ isSearched, isFiltered }: { isSearched: boolean; isFiltered: boolean }) {
  if (isSearched) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title="No island has this name">
        <p>Names, addresses and hosts’ usernames are searched, without regard to case.</p>
      </EmptyState>
    )
  }
  if (isFiltered) return <p className="text-sm text-muted">There are none of that kind.</p>
  return (
    <EmptyState icon={<TreePalm aria-hidden />} title="There is no island yet">
      <p>As soon as somebody makes one, you see it here, even as a draft.</p>
    </EmptyState>
  )
}
