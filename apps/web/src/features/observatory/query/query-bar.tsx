import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo } from 'react'
import Search from 'virtual:icon/search'
import { formatNumber } from '../../../language/format.ts'
import { searchMaxLength } from '../../../lib/search-text.ts'
import { NeighbourFilter } from '../../../neighbours/neighbour-filter.tsx'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { ofNeighbours } from '../nodes/node-name.ts'
import { isFiltering, type NodeQuery, type StatusFilter, statusFilters } from './node-query.ts'
import { type ShownNodes, useShownRows } from './shown-nodes.ts'

interface QueryBarProps {
  shown: ShownNodes
  query: NodeQuery
  isLeftOver: boolean
  onChange: (changes: Partial<NodeQuery>) => void
}

const filterNames: Readonly<Record<StatusFilter, string>> = {
  all: t`Every status`,
  online: t`Online`,
  offline: t`Offline`,
  unknown: t`Unknown`,
}

export function QueryBar({ shown, query, isLeftOver, onChange }: QueryBarProps) {
  return (
    <search
      aria-label={t`Devices to show`}
      className="flex flex-col gap-x-4 gap-y-3 lg:flex-row lg:items-center"
    >
      <div className="flex min-w-0 flex-1 gap-3 lg:max-w-2xl">
        <div className="relative min-w-0 flex-1">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 start-3 size-4 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            value={query.search}
            maxLength={searchMaxLength}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            aria-label={t`Search devices by label or ID`}
            placeholder={t`Search by label or ID`}
            onChange={(event) => onChange({ search: event.target.value })}
            className="ps-9!"
          />
        </div>
        <Select
          aria-label={t`Status`}
          value={query.status}
          onChange={(event) => {
            const chosen = statusFilters.find((filter) => filter === event.target.value)
            if (chosen !== undefined) onChange({ status: chosen })
          }}
          className="w-36 shrink-0 sm:w-44"
        >
          {statusFilters.map((filter) => (
            <option key={filter} value={filter}>
              {filterNames[filter]}
            </option>
          ))}
        </Select>
      </div>
      <NeighbourFilter
        value={query.from}
        onChange={(from) => onChange({ from })}
        className="flex min-w-0 gap-2 lg:w-60"
      />
      <div className="flex min-h-9 flex-wrap items-center gap-x-4">
        <ShownCount
          shown={shown}
          isLeftOver={isLeftOver}
          isOfNeighbour={query.from !== 'all' && query.from !== 'here'}
        />
        {isFiltering(query) && (
          <Button
            variant="link"
            size="sm"
            onClick={() => onChange({ search: '', status: 'all', from: 'all' })}
          >
            <Trans>Show all</Trans>
          </Button>
        )}
      </div>
    </search>
  )
}

interface ShownCountProps {
  readonly shown: ShownNodes
  readonly isLeftOver: boolean
  /** Whether only the devices of a neighbour can be found. */
  readonly isOfNeighbour: boolean
}

function ShownCount({ shown, isLeftOver, isOfNeighbour }: ShownCountProps) {
  const { listing, rows } = useShownRows(shown)
  const { from = noneOfNeighbours } = listing?.columns ?? {}
  const total = useMemo(() => countOwn(from, undefined), [from])
  const own = useMemo(() => countOwn(from, rows), [from, rows])
  const count = formatNumber(own)
  const found =
    own === total
      ? plural(total, { one: '# device', other: '# devices' })
      : t`${count} of ${plural(total, { one: '# device', other: '# devices' })}`
  const neighbours = rows.length - own
  const beside = neighbours === 0 ? found : `${found} · ${ofNeighbours(neighbours)}`
  const all = isOfNeighbour ? ofNeighbours(neighbours) : beside
  const text = isLeftOver ? t`${all}, by the filter of your last visit` : all
  return (
    <output className="text-sm text-muted" data-numeric>
      {listing === undefined ? '\u00a0' : text}
    </output>
  )
}

const noneOfNeighbours = new Uint8Array(0)

/** How many of these rows, or of all nodes, are of this installation. */
function countOwn(from: Uint8Array, rows: Uint32Array | undefined): number {
  let own = 0
  if (rows === undefined) for (let i = 0; i < from.length; i++) own += from[i] === 0 ? 1 : 0
  else for (let i = 0; i < rows.length; i++) own += from[rows[i] ?? 0] === 0 ? 1 : 0
  return own
}
