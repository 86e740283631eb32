import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { CSSProperties, KeyboardEvent } from 'react'
import { Link } from 'react-router'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowUp from 'virtual:icon/arrow-up'
import ChevronRight from 'virtual:icon/chevron-right'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { paths } from '../../../paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { NeighbourName } from '../../../neighbours/neighbour-name.tsx'
import { useNeighbour } from '../../../neighbours/use-neighbours.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { useCarriedIsland } from '../islands/carried-islands.ts'
import { IslandLink } from '../islands/island-mark.tsx'
import { neighbourAt, type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { statusWord } from '../nodes/node-name.ts'
import type { NodeQuery, SortKey } from '../query/node-query.ts'
import LockKeyhole from 'virtual:icon/lock-keyhole'

export const wideRowPx = 44
export const narrowRowPx = 88
export const headerPx = 41
/** From this width on, rows are table rows: 48rem, the same as in the class names here. */
export const wideListPx = 768

/** The columns of header and rows. Written out, because Tailwind only finds class names in the source. */
const rowGrid =
  "grid gap-x-3 px-4 [grid-template-areas:'label_label_status'_'id_lat_lon'_'link_link_link'] grid-cols-[auto_minmax(0,1fr)_auto] @5xl:gap-x-5 @3xl:[grid-template-areas:'label_id_lat_lon_status_link'] @3xl:grid-cols-[minmax(0,3fr)_5.75rem_3.75rem_4.25rem_5.75rem_minmax(0,2fr)]"

interface ListHeaderProps {
  query: NodeQuery
  onChange: (changes: Partial<NodeQuery>) => void
}

/** The table header with its sort buttons. In a narrow list it is a line with only these buttons. */
export function ListHeader({ query, onChange }: ListHeaderProps) {
  const sorted = query.isDescending ? 'descending' : 'ascending'
  const column = (key: SortKey, className?: string) => {
    const isSorted = query.sort === key
    const Arrow = isSorted && query.isDescending ? ArrowDown : ArrowUp
    return (
      <th scope="col" aria-sort={isSorted ? sorted : 'none'} className={className}>
        <button
          type="button"
          onClick={() => onChange({ sort: key, isDescending: isSorted && !query.isDescending })}
          className={classNames(
            'relative inline-flex h-8 items-center gap-1 rounded-mark font-medium transition-colors hover:text-ink',
            isSorted ? 'text-ink' : 'text-muted',
          )}
        >
          {sortNames[key]}
          <Arrow
            aria-hidden
            className={classNames('size-3.5 text-accent', !isSorted && 'invisible')}
          />
        </button>
      </th>
    )
  }

  return (
    <tr
      aria-rowindex={1}
      className={classNames(
        rowGrid,
        'h-10 items-center text-xs @max-3xl:flex @max-3xl:justify-between',
      )}
    >
      {column('label')}
      <th scope="col" className="font-medium text-muted @max-3xl:-order-1">
        <span className="@max-3xl:sr-only">{t`ID`}</span>
        <span aria-hidden className="whitespace-nowrap @3xl:hidden">
          <Trans>Sort by</Trans>
        </span>
      </th>
      {column('lat', numeric)}
      {column('lon', numeric)}
      {column('status')}
      <th scope="col" className="font-medium text-muted @max-3xl:sr-only">
        <Trans>Link</Trans>
      </th>
    </tr>
  )
}

// The arrow goes before the name, so that the name aligns with the numbers' right edge.
const numeric = '@3xl:justify-self-end @3xl:[&_button]:flex-row-reverse'

const sortNames: Readonly<Record<SortKey, string>> = {
  label: t`Label`,
  lat: t`Lat`,
  lon: t`Lon`,
  status: t`Status`,
}

const shownIdLength = 12

interface NodeRowProps {
  columns: NodeColumns
  index: number
  position: number
  isSelected: boolean
  isTabStop: boolean
  style: CSSProperties
  onFocus: () => void
  onSelect: () => void
  onKey: (event: KeyboardEvent) => void
}

export function NodeRow(props: NodeRowProps) {
  const { columns, index, position, isSelected, isTabStop, style, onFocus, onSelect, onKey } = props
  const id = textAt(columns.ids, index)
  const label = textAt(columns.labels, index)
  const link = textAt(columns.links, index)
  const island = useCarriedIsland(id)
  const from = neighbourAt(columns, index)?.id
  const neighbour = useNeighbour(from)
  const tabIndex = isTabStop ? 0 : -1
  return (
    <tr
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      data-position={position}
      tabIndex={tabIndex}
      style={style}
      onFocus={onFocus}
      onClick={(event) => {
        const isOnLink = event.target instanceof Element && event.target.closest('a') !== null
        if (!isOnLink) onSelect()
      }}
      onKeyDown={(event) => {
        // Keys pressed on a link inside the row belong to the link.
        if (event.target !== event.currentTarget) return
        if (event.key !== 'Enter' && event.key !== ' ') onKey(event)
        else {
          event.preventDefault()
          onSelect()
        }
      }}
      className={classNames(
        rowGrid,
        'absolute inset-x-0 top-0 cursor-pointer content-center items-center border-b border-line text-sm -outline-offset-2 transition-colors hover:bg-hover/60',
        isSelected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <td
        className="[grid-area:label] flex min-w-0 items-center font-medium text-ink"
        title={label}
      >
        <bdi className="min-w-0 truncate">{label}</bdi>
        {columns.privates.includes(index) && (
          <span className="ms-2 inline-flex shrink-0 items-center gap-1 text-xs font-normal text-muted">
            <LockKeyhole aria-hidden className="size-3" />
            <Trans>private</Trans>
          </span>
        )}
        {neighbour && (
          <NeighbourName
            neighbour={neighbour}
            className="ms-2 max-w-24 shrink-0 text-xs font-normal text-muted"
          />
        )}
      </td>
      <td className="[grid-area:id] truncate font-mono text-xs text-muted" title={id}>
        {id.slice(id.indexOf(':') + 1).slice(0, shownIdLength)}
      </td>
      <td className="[grid-area:lat] text-end text-xs text-muted @3xl:text-sm @3xl:text-ink">
        {formatCoordinate(columns.latDeg[index] ?? 0)}
      </td>
      <td className="[grid-area:lon] text-end text-xs text-muted @3xl:text-sm @3xl:text-ink">
        {formatCoordinate(columns.lonDeg[index] ?? 0)}
      </td>
      <td className="[grid-area:status] justify-self-end @3xl:justify-self-start">
        <StatusBadge status={statusWord(columns.status[index])} />
      </td>
      <td className="[grid-area:link] flex min-w-0 items-center justify-between gap-2">
        {island === undefined ? (
          <span className="min-w-0">
            <DeviceLink
              link={link === '' ? null : link}
              tabIndex={tabIndex}
              isHostOnly={from !== undefined}
            />
          </span>
        ) : (
          <span className="flex min-w-0 flex-1 items-center gap-4">
            <IslandLink island={island} tabIndex={tabIndex} />
            {link !== '' && (
              <span className="min-w-0 flex-1">
                <DeviceLink link={link} tabIndex={tabIndex} isHostOnly={from !== undefined} />
              </span>
            )}
          </span>
        )}
        {from === undefined && (
          <Link
            to={paths.device(id)}
            title={t`Page of ${label}`}
            aria-label={t`Page of ${label}`}
            tabIndex={tabIndex}
            className="-my-1.5 inline-flex size-8 shrink-0 items-center justify-center rounded-mark text-muted transition-colors hover:bg-hover hover:text-accent"
          >
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        )}
      </td>
    </tr>
  )
}
