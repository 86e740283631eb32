import { IslandKind } from '@astropelago/contract/islands'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import * as v from 'valibot'
import SearchX from 'virtual:icon/search-x'
import TreePalm from 'virtual:icon/tree-palm'
import { type DirectoryFilter, islandsOf, useDirectory } from '../../islands/directory-query.ts'
import { useLiveListedIslands } from '../../islands/follow-listed-islands.ts'
import { cardGrid, IslandCards, IslandCardSkeleton } from '../../islands/island-card.tsx'
import { FirstIslandLink } from '../../islands/first-island-link.tsx'
import { accessWords, kindWords } from '../../islands/island-words.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { NeighbourFilter } from '../../neighbours/neighbour-filter.tsx'
import { NeighboursBelow } from '../../neighbours/neighbours-below.tsx'
import { knownFrom, useNeighbours } from '../../neighbours/use-neighbours.ts'
import { useAddressParameters } from '../../lib/use-address-parameters.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { Select } from '../../ui/select.tsx'

const skeletons = [0, 1, 2, 3, 4, 5]

export function IslandDirectory() {
  const { filter, from, change } = useDirectoryFilter()
  const isHere = useIsShown(from)
  const query = useDirectory(filter)
  useLiveListedIslands()
  const pages = query.data?.pages ?? []
  const islands = islandsOf(pages)
  const isFiltered = filter.kind !== undefined || filter.isOpenOnly || filter.isPublicOnly
  return (
    <>
      <DirectoryFilterBar
        filter={filter}
        from={from}
        onChange={change}
        total={pages.at(-1)?.total}
      />
      {isHere && (
        <LoadedList
          of={t`The islands`}
          query={query}
          isEmpty={islands.length === 0}
          skeleton={
            <div className={cardGrid}>
              {skeletons.map((place) => (
                <IslandCardSkeleton key={place} />
              ))}
            </div>
          }
          empty={
            isFiltered ? (
              <EmptyState icon={<SearchX aria-hidden />} title={t`No island fits`}>
                <p>
                  <Trans>No island matches all of these filters.</Trans>
                </p>
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => change({ kind: '', state: '', access: '' })}
                >
                  <Trans>Show all islands</Trans>
                </Button>
              </EmptyState>
            ) : (
              <EmptyState
                icon={<TreePalm aria-hidden />}
                title={t`No islands in the directory yet`}
              >
                <p>
                  <Trans>
                    Islands appear here when their host lets people find them. Yours can be the
                    first. It is a draft that only you see until you publish it.
                  </Trans>
                </p>
                <LinkButton to={paths.newIsland()} variant="outline" size="sm">
                  <Trans>Make an island</Trans>
                </LinkButton>
                <FirstIslandLink />
              </EmptyState>
            )
          }
        >
          <IslandCards islands={islands} />
        </LoadedList>
      )}
      <NeighboursBelow
        title={t`Islands of neighbours`}
        from={from}
        filter={{ ...filter, limit: neighbourIslands }}
      />
    </>
  )
}

const Parameters = v.object({
  kind: v.fallback(v.optional(IslandKind), undefined),
  state: v.fallback(v.optional(v.literal('open')), undefined),
  access: v.fallback(v.optional(v.literal('public')), undefined),
  sort: v.fallback(v.picklist(['open', 'newest']), 'open'),
  from: v.fallback(v.string(), 'all'),
})

/** How many islands of neighbours a page has. */
const neighbourIslands = 24

/** Whether the islands of this installation are shown. An unknown neighbour in the address is ignored. */
function useIsShown(from: string): boolean {
  const { shown } = useNeighbours()
  const known = knownFrom(from, shown)
  return known === 'all' || known === 'here'
}

/** Reads the filter from the address and drops invalid values. */
function useDirectoryFilter() {
  const [parameters, change] = useAddressParameters()
  const { kind, state, access, sort, from } = v.parse(Parameters, Object.fromEntries(parameters))
  const filter: DirectoryFilter = {
    kind,
    isOpenOnly: state === 'open',
    isPublicOnly: access === 'public',
    sort,
  }
  return { filter, from, change }
}

interface DirectoryFilterBarProps {
  filter: DirectoryFilter
  from: string
  onChange: (changes: Readonly<Record<string, string>>) => void
  total: number | undefined
}

function DirectoryFilterBar({ filter, from, onChange, total }: DirectoryFilterBarProps) {
  return (
    <search
      aria-label={t`Islands to show`}
      className="flex flex-wrap items-center gap-x-5 gap-y-3 text-sm"
    >
      <Select
        aria-label={t`Kind`}
        value={filter.kind ?? ''}
        onChange={(event) => onChange({ kind: event.target.value })}
        className="w-full sm:w-44"
      >
        <option value="">
          <Trans>Every kind</Trans>
        </option>
        {IslandKind.options.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords[kind].plural}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t`Order`}
        value={filter.sort}
        onChange={({ target }) => onChange({ sort: target.value === 'newest' ? 'newest' : '' })}
        className="w-full sm:w-44"
      >
        <option value="open">
          <Trans>Open ones first</Trans>
        </option>
        <option value="newest">
          <Trans>Newest first</Trans>
        </option>
      </Select>
      <NeighbourFilter
        value={from}
        onChange={(chosen) => onChange({ from: chosen === 'all' ? '' : chosen })}
        className="flex w-full gap-2 sm:w-60"
      />
      <Checkbox
        label={t`Open now`}
        checked={filter.isOpenOnly}
        onChange={(event) => onChange({ state: event.target.checked ? 'open' : '' })}
      />
      <Checkbox
        label={accessWords.public.name}
        checked={filter.isPublicOnly}
        onChange={(event) => onChange({ access: event.target.checked ? 'public' : '' })}
      />
      <output data-numeric className="ms-auto min-h-6 text-muted">
        {total !== undefined && plural(total, { one: '# island', other: '# islands' })}
      </output>
    </search>
  )
}
