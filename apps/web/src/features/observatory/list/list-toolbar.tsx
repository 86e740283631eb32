import { Search } from 'lucide-react'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { type ListQuery, type StatusFilter, statusFilters } from './list-query.ts'

interface ListToolbarProps {
  query: ListQuery
  onChange: (changes: Partial<ListQuery>) => void
}

const filterNames: Readonly<Record<StatusFilter, string>> = {
  all: 'Every status',
  online: 'Online',
  offline: 'Offline',
  unknown: 'Unknown',
}

export function ListToolbar({ query, onChange }: ListToolbarProps) {
  return (
    <search className="flex flex-col gap-3 sm:flex-row">
      <div className="relative min-w-0 flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <Input
          type="search"
          value={query.search}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-label="Search devices by label or ID"
          placeholder="Search by label or ID"
          onChange={(event) => onChange({ search: event.target.value })}
          className="pl-9!"
        />
      </div>
      <Select
        aria-label="Status"
        value={query.status}
        onChange={(event) => {
          const chosen = statusFilters.find((filter) => filter === event.target.value)
          if (chosen !== undefined) onChange({ status: chosen })
        }}
        className="sm:w-44"
      >
        {statusFilters.map((filter) => (
          <option key={filter} value={filter}>
            {filterNames[filter]}
          </option>
        ))}
      </Select>
    </search>
  )
}
