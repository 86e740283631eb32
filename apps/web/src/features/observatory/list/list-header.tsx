import { ArrowDown, ArrowUp } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import type { ListQuery, SortKey } from './list-query.ts'
import { rowGrid } from './row-grid.ts'

interface ListHeaderProps {
  query: ListQuery
  onChange: (changes: Partial<ListQuery>) => void
}

/** The table's head: its buttons sort. On a phone it is a line of those alone. */
export function ListHeader({ query, onChange }: ListHeaderProps) {
  const sorted = query.isDescending ? 'descending' : 'ascending'
  const column = (key: SortKey, className?: string) => {
    const isSorted = query.sort === key
    return (
      <th scope="col" aria-sort={isSorted ? sorted : 'none'} className={className}>
        <SortButton
          name={sortNames[key]}
          direction={isSorted ? sorted : 'none'}
          onClick={() => onChange({ sort: key, isDescending: isSorted && !query.isDescending })}
        />
      </th>
    )
  }

  return (
    <tr
      aria-rowindex={1}
      className={classNames(
        rowGrid,
        'h-10 items-center text-xs max-md:flex max-md:justify-between',
      )}
    >
      <th scope="col" className="font-medium text-muted max-md:sr-only">
        ID
      </th>
      {column('label')}
      {column('lat', numeric)}
      {column('lon', numeric)}
      {column('status')}
      <th scope="col" className="font-medium text-muted max-md:sr-only">
        Link
      </th>
    </tr>
  )
}

// The arrow before the name: the name stands above the numbers' right edge.
const numeric = 'md:justify-self-end md:[&_button]:flex-row-reverse'

const sortNames: Readonly<Record<SortKey, string>> = {
  label: 'Label',
  lat: 'Lat',
  lon: 'Lon',
  status: 'Status',
}

interface SortButtonProps {
  name: string
  direction: 'ascending' | 'descending' | 'none'
  onClick: () => void
}

function SortButton({ name, direction, onClick }: SortButtonProps) {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(
        'relative inline-flex h-8 items-center gap-1 rounded-mark font-medium transition-colors hover:text-ink',
        direction === 'none' ? 'text-muted' : 'text-ink',
      )}
    >
      {name}
      <Arrow
        aria-hidden
        className={classNames('size-3.5 text-accent', direction === 'none' && 'invisible')}
      />
    </button>
  )
}
