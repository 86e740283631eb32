import { IslandKind } from '@astropelago/contract/islands'
import * as v from 'valibot'
import type { DirectoryFilter } from '../../../islands/directory-query.ts'
import { useAddressParameters } from '../../../lib/use-address-parameters.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { accessWords, kindWords } from '../../../islands/island-words.ts'
import { Select } from '../../../ui/select.tsx'

const Parameters = v.object({
  kind: v.fallback(v.optional(IslandKind), undefined),
  state: v.fallback(v.optional(v.literal('open')), undefined),
  access: v.fallback(v.optional(v.literal('public')), undefined),
  sort: v.fallback(v.picklist(['open', 'newest']), 'open'),
})

/** The directory's filter from the address. Invalid values are dropped. */
export function useDirectoryFilter() {
  const [parameters, change] = useAddressParameters()
  const { kind, state, access, sort } = v.parse(Parameters, Object.fromEntries(parameters))
  const filter: DirectoryFilter = {
    kind,
    isOpenOnly: state === 'open',
    isPublicOnly: access === 'public',
    sort,
  }
  return [filter, change] as const
}

interface DirectoryFilterBarProps {
  filter: DirectoryFilter
  onChange: (changes: Readonly<Record<string, string>>) => void
  /** How many islands match; undefined until known. */
  total: number | undefined
}

export function DirectoryFilterBar({ filter, onChange, total }: DirectoryFilterBarProps) {
  return (
    <search
      aria-label="Islands to show"
      className="flex flex-wrap items-center gap-x-5 gap-y-3 text-sm"
    >
      <Select
        aria-label="Kind"
        value={filter.kind ?? ''}
        onChange={(event) => onChange({ kind: event.target.value })}
        className="w-full sm:w-44"
      >
        <option value="">Every kind</option>
        {IslandKind.options.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords[kind].plural}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        value={filter.sort}
        onChange={({ target }) => onChange({ sort: target.value === 'newest' ? 'newest' : '' })}
        className="w-full sm:w-44"
      >
        <option value="open">Open ones first</option>
        <option value="newest">Newest first</option>
      </Select>
      <Checkbox
        label="Open now"
        checked={filter.isOpenOnly}
        onChange={(event) => onChange({ state: event.target.checked ? 'open' : '' })}
      />
      <Checkbox
        label={accessWords.public.name}
        checked={filter.isPublicOnly}
        onChange={(event) => onChange({ access: event.target.checked ? 'public' : '' })}
      />
      <output data-numeric className="ml-auto min-h-6 text-muted">
        {total !== undefined && countSentence(total)}
      </output>
    </search>
  )
}

function countSentence(total: number): string {
  return `${total.toLocaleString('en')} ${total === 1 ? 'island' : 'islands'}`
}
