import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
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
      <Field label="Sort by">
        {(wiring) => (
          <Select
            {...wiring}
            value={query.sort}
            onChange={(event) => {
              const sort = deviceSorts.find((name) => name === event.target.value)
              if (sort) onChange({ sort })
            }}
          >
            {deviceSorts.map((sort) => (
              <option key={sort} value={sort}>
                {sortNames[sort]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <output className="-mt-1 text-xs text-muted sm:col-span-2" data-numeric>
        {shownCount === count ? `${count} devices` : `${shownCount} of ${count} devices`}
      </output>
    </search>
  )
}
