import { LogEntryKind } from '@astropelago/contract/island-log'
import type { ComponentType } from 'react'
import * as v from 'valibot'
import { useAddressParameters } from '../../lib/use-address-parameters.ts'
import { useIsFromBuild } from '../../lib/use-is-from-build.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import type { LogsFilter } from './logs-query.ts'

const Parameters = v.object({
  kind: v.fallback(v.optional(LogEntryKind), undefined),
  island: v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined),
  whose: v.fallback(v.optional(v.literal('own')), undefined),
})
const none = new URLSearchParams()

/** The logs' filter from the address. Invalid values are dropped. */
export function useLogsFilter() {
  const [ofAddress, change] = useAddressParameters()
  const parameters = useIsFromBuild() ? none : ofAddress
  const { kind, island, whose } = v.parse(Parameters, Object.fromEntries(parameters))
  const filter: LogsFilter = { kind, island, isOwn: whose === 'own' }
  return [filter, change] as const
}

interface NamedIsland {
  readonly slug: string
  readonly name: string
}

/** A field that finds an island by its name. */
export type IslandSearch = ComponentType<{
  /** The island chosen before, if any. */
  readonly chosen: NamedIsland | undefined
  readonly onChoose: (island: NamedIsland | undefined) => void
}>

interface LogsFilterBarProps {
  filter: LogsFilter
  onChange: (changes: Readonly<Record<string, string>>) => void
  islandSearch: IslandSearch
  /** The name of the chosen island; undefined until known. */
  islandName: string | undefined
  /** Whether the reader has islands of their own, or could have some. */
  isSignedIn: boolean
}

const kindNames: Readonly<Record<LogEntryKind, string>> = {
  signal: 'Signals',
  note: 'Notes',
  opened: 'Openings',
  closed: 'Closings',
  joined: 'New members',
}

export function LogsFilterBar({
  filter: { kind, island, isOwn },
  onChange,
  islandSearch: Search,
  islandName,
  isSignedIn,
}: LogsFilterBarProps) {
  return (
    <search
      aria-label="Lines to show"
      className="flex flex-wrap items-center gap-x-5 gap-y-3 text-sm"
    >
      <div className="w-full sm:w-72">
        <Search
          chosen={island === undefined ? undefined : { slug: island, name: islandName ?? island }}
          onChoose={(chosen) => onChange({ island: chosen?.slug ?? '', whose: '' })}
        />
      </div>
      <Select
        aria-label="Kind"
        value={kind ?? ''}
        onChange={({ target }) => onChange({ kind: target.value })}
        className="w-full sm:w-44"
      >
        <option value="">Every kind</option>
        {Object.entries(kindNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {isSignedIn && (
        <Checkbox
          label="Mine, joined and followed"
          checked={isOwn}
          onChange={({ target }) => onChange({ whose: target.checked ? 'own' : '', island: '' })}
        />
      )}
    </search>
  )
}
