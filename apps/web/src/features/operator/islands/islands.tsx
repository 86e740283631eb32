import type { IslandKind, OperatorIsland } from '@astropelago/contract/operator-islands'
import { useId, useState } from 'react'
import SearchX from 'virtual:icon/search-x'
import TreePalm from 'virtual:icon/tree-palm'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListFilter, useChoiceInAddress } from '../list-filter.tsx'
import { OperatorList } from '../operator-list.tsx'
import { SearchField } from '../search-field.tsx'
import { useSearchInAddress } from '../use-search-in-address.ts'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { HideIslandDialog, ShowIslandDialog } from './hide-island-dialogs.tsx'
import { StartRelayDialog, StopRelayDialog } from './island-relay-dialogs.tsx'
import { IslandItem, type IslandAction } from './island-item.tsx'
import { useIslands } from './islands-query.ts'

const dialogs = {
  hide: HideIslandDialog,
  show: ShowIslandDialog,
  'hand-over': HandOverDialog,
  'stop-relay': StopRelayDialog,
  'start-relay': StartRelayDialog,
} as const satisfies Record<IslandAction, unknown>

const kinds: Readonly<Record<IslandKind, string>> = {
  listed: 'Listed',
  unlisted: 'Not listed',
  drafts: 'Drafts',
  hidden: 'Hidden, or of who is off',
}

interface Opened {
  readonly action: IslandAction
  readonly island: OperatorIsland
}

/** All islands, including unlisted ones, and the actions on each. */
export function Islands() {
  const titleId = useId()
  const { search, setSearch, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const query = useIslands(wanted, only)
  const islands = query.data?.pages.flatMap((page) => page.islands) ?? []
  const [opened, setOpened] = useState<Opened>()
  const Chosen = opened === undefined ? undefined : dialogs[opened.action]
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Islands"
        description="Every island, the newest first. You see what each one is and who hosts it, but not its log and its members."
      />
      <SearchField
        label="Search islands"
        placeholder="In name, address or host"
        value={search}
        onChange={setSearch}
      >
        <ListFilter name="only" label="Show" without="All of them" choices={kinds} />
      </SearchField>
      <div className="flex min-w-0 flex-col gap-5" aria-busy={query.isPlaceholderData}>
        <OperatorList
          of="The islands"
          query={query}
          isEmpty={islands.length === 0}
          empty={<NoIslands wanted={wanted} only={only} />}
        >
          <ul aria-label="Islands" className="flex flex-col">
            {islands.map((island) => (
              <IslandItem
                key={island.id}
                island={island}
                onAct={(action) => setOpened({ action, island })}
              />
            ))}
          </ul>
        </OperatorList>
      </div>
      {opened !== undefined && Chosen !== undefined && (
        <Chosen island={opened.island} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  )
}

interface NoIslandsProps {
  readonly wanted: string
  readonly only: IslandKind | undefined
}

function NoIslands({ wanted, only }: NoIslandsProps) {
  if (wanted !== '') return <NothingFound />
  if (only !== undefined) return <p className="text-sm text-muted">There are none of that kind.</p>
  return (
    <EmptyState icon={<TreePalm aria-hidden />} title="There is no island yet">
      <p>As soon as somebody makes one, you see it here, even as a draft.</p>
    </EmptyState>
  )
}

function NothingFound() {
  return (
    <EmptyState icon={<SearchX aria-hidden />} title="No island has this name">
      <p>Names, addresses and hosts’ usernames are searched, without regard to case.</p>
    </EmptyState>
  )
}
