import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type DeviceQuery, deviceSorts, type DeviceSort } from './device-query.ts'

const sortNames: Readonly<Record<DeviceSort, string>> = {
  registered: 'As registered',
  label: 'Label, A to Z',
  status: 'Status, offline first',
  seen: 'Last seen, newest first',
}

interface DeviceSearchProps {
  query: DeviceQuery
  onChange: (changes: Partial<DeviceQuery>) => void
  /** How many devices match, out of `count`. */
  shownCount: number
  count: number
}

/** Searches and sorts the user's devices, both public and private. */
export function DeviceSearch({ query, onChange, shownCount, count }: DeviceSearchProps) {
  return (
    <search className="grid min-w-0 items-end gap-4 sm:grid-cols-[minmax(0,1fr)_15rem]">
      <TextField
        label="Search your devices"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Label, id or link"
        value={query.search}
        onChange={(text) => onChange({ search: text })}
      />
      <SelectField
        label="Sort by"
        options={deviceSorts.map((sort) => ({ value: sort, name: sortNames[sort] }))}
        value={query.sort}
        onChange={(chosen) => {
          const sort = deviceSorts.find((name) => name === chosen)
          if (sort) onChange({ sort })
        }}
      />
      <output className="-mt-1 text-xs text-muted sm:col-span-2" data-numeric>
        {shownCount === count ? `${count} devices` : `${shownCount} of ${count} devices`}
      </output>
    </search>
  )
}
