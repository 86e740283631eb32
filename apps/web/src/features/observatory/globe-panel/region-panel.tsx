import { safeLink } from '@astropelago/contract/devices'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'react-router'
import ChevronRight from 'virtual:icon/chevron-right'
import ExternalLink from 'virtual:icon/external-link'
import X from 'virtual:icon/x'
import { formatNumber } from '../../../language/format.ts'
import { elsewhere } from '../../../neighbours/elsewhere.ts'
import { paths } from '../../../paths.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type Region, regionBounds, regionDeg } from '../globe/region.ts'
import { IslandShape } from '../islands/island-mark.tsx'
import { type NodeSummary, ofNeighbours, summarizeNode } from '../nodes/node-name.ts'
import { type NodeStore, useNodeVersion } from '../nodes/node-store.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import { type NodeColumns, statusCodes } from '../nodes/node-columns.ts'

interface RegionPanelProps {
  readonly region: Region
  readonly store: NodeStore
  readonly selection: Selection
  readonly onClose: () => void
}

const mostShown = 100
const spanDeg = 90

/** The selected 30-degree cell and its devices: next to the globe, or below it on narrow screens. */
export function RegionPanel({ region, store, selection, onClose }: RegionPanelProps) {
  const titleId = useId()
  // Renders again on every change, because statuses change in place.
  useNodeVersion(store)
  const selectedId = useSelectedId(selection)
  const { total, own, online, indexes } = nodesInRegion(store.columns, region, mostShown)
  const nodes = indexes.map((index) => summarizeNode(store.columns, index))
  const all = formatNumber(total)
  return (
    <section
      aria-labelledby={titleId}
      className="flex min-h-0 animate-appear flex-col rounded-control border border-line-strong bg-panel/95 lg:absolute lg:top-3 lg:end-3 lg:max-h-[calc(460px-3.75rem)] lg:w-72"
    >
      <header className="flex items-start justify-between gap-2 py-3 ps-4 pe-2">
        <div className="flex min-w-0 flex-col">
          <h3 id={titleId} className="text-sm font-semibold">
            {regionName(region)}
          </h3>
          <p data-numeric className="text-xs text-muted">
            {regionBounds(region)}
          </p>
          <p data-numeric className="text-xs text-muted">
            {countText(own, online, total - own)}
          </p>
        </div>
        <button
          type="button"
          aria-label={t`Close the region`}
          onClick={onClose}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </header>
      {total > 0 && (
        <ul
          aria-label={t`Devices of the region`}
          className="max-h-72 min-h-0 overflow-y-auto border-t border-line p-1.5 lg:max-h-none"
        >
          {nodes.map((node) => (
            <RegionNode
              key={node.id}
              node={node}
              isSelected={node.id === selectedId}
              onSelect={() => selection.select(node.id, { ...node, spanDeg })}
            />
          ))}
        </ul>
      )}
      {total > mostShown && (
        <p data-numeric className="border-t border-line px-4 py-2 text-xs text-muted">
          <Trans>
            {mostShown} of {all} shown. The list below has all of them.
          </Trans>
        </p>
      )}
    </section>
  )
}

function countText(count: number, onlineCount: number, neighbours: number): string {
  const online = formatNumber(onlineCount)
  const own =
    count === 0
      ? t`No devices here yet`
      : t`${plural(count, { one: '# device', other: '# devices' })}, ${online} online`
  return neighbours === 0 ? own : `${own} · ${ofNeighbours(neighbours)}`
}

interface RegionNodeProps {
  readonly node: NodeSummary
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function RegionNode({ node, isSelected, onSelect }: RegionNodeProps) {
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        aria-pressed={isSelected}
        onClick={onSelect}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-mark px-2.5 py-1.5 text-start text-sm text-ink hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-soft"
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {node.name}
        </span>
        <StatusBadge status={node.status} />
      </button>
      <WayThere node={node} />
    </li>
  )
}

const wayStyles =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-mark text-muted hover:bg-hover hover:text-accent'

/** Leads to the node's island, else to its link, like a click on the node, else to its page. */
function WayThere({ node: { id, name, link, island } }: { node: NodeSummary }) {
  if (island !== undefined) {
    const { name: islandName, href, isOpen, isElsewhere } = island
    const to = isElsewhere
      ? t`To the island ${islandName} (opens in a new tab)`
      : t`To the island ${islandName}`
    return (
      <Link
        to={href}
        {...(isElsewhere && elsewhere)}
        title={to}
        aria-label={to}
        className={wayStyles}
      >
        <IslandShape isOpen={isOpen} className="size-3.5" />
      </Link>
    )
  }
  const href = link === '' ? undefined : safeLink(link)
  if (href === undefined) {
    const to = t`Page of ${name}`
    return (
      <Link to={paths.device(id)} title={to} aria-label={to} className={wayStyles}>
        <ChevronRight aria-hidden className="size-4" />
      </Link>
    )
  }
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={href}
      aria-label={t`Link of ${name} (opens in a new tab)`}
      className={wayStyles}
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

/** Common names of the cells: bands from south to north, each from longitude -180 eastwards. */
const regionNames = [
  t`Ross Sea; Marie Byrd Land; Ellsworth Land; Antarctic Peninsula; Weddell Sea; Coats Land; Queen Maud Land; Enderby Land; Mac Robertson Land; Wilkes Land; Adélie Land; Victoria Land`,
  t`Chatham Islands; South Pacific; South Pacific; Chile and Patagonia; Río de la Plata; South Atlantic; Cape of Good Hope; Southern Indian Ocean; Kerguelen; Southwestern Australia; Southern Australia; New Zealand and Tasman Sea`,
  t`Samoa and Cook Islands; French Polynesia; Easter Island; Central Andes; Brazil; Saint Helena; Congo, Angola and Namibia; East Africa and Madagascar; Indian Ocean; Java and Western Australia; Northern Australia and New Guinea; Melanesia`,
  t`Hawaii; Eastern Pacific; Mexico; Caribbean; Guianas; West Africa; North Central Africa; Arabia and Horn of Africa; India; Southeast Asia; Philippines; Micronesia`,
  t`Gulf of Alaska; Pacific Northwest; Western North America; Eastern North America; Newfoundland; Western Europe; Central Europe; Black Sea and Caspian Sea; Central Asia; Mongolia and North China; Japan and Korea; Kamchatka`,
  t`Western Alaska; Yukon; Arctic Canada; Baffin Island; Greenland; Iceland; Scandinavia; Barents Sea; Western Siberia; Central Siberia; Yakutia; Chukotka`,
].map((band) => band.split('; '))

export function regionName({ latBand, lonBand }: Region): string {
  return regionNames[latBand]?.[lonBand] ?? ''
}

const lastLatDeg = 90
const lastLonDeg = 180

/**
 * The nodes in a 30-degree cell, at most `most` of them: online first, then offline, then the others.
 * `own` and `online` count those of this installation.
 * Latitude 90 and longitude 180 belong to the last bands.
 */
export function nodesInRegion(
  { count, latDeg, lonDeg, status, from }: NodeColumns,
  { latBand, lonBand }: Region,
  most: number,
) {
  const south = latBand * regionDeg - lastLatDeg
  const west = lonBand * regionDeg - lastLonDeg
  const north = south + regionDeg
  const east = west + regionDeg
  const byStatus: Record<number, number[]> = {}
  let total = 0
  let own = 0
  let online = 0
  for (let index = 0; index < count; index++) {
    const lat = latDeg[index] ?? Number.NaN
    const lon = lonDeg[index] ?? Number.NaN
    const isInside =
      lat >= south &&
      (lat < north || (lat === lastLatDeg && north === lastLatDeg)) &&
      lon >= west &&
      (lon < east || (lon === lastLonDeg && east === lastLonDeg))
    if (!isInside) continue
    total += 1
    const code = status[index] ?? statusCodes.other
    if (from[index] === 0) {
      own += 1
      if (code === statusCodes.online) online += 1
    }
    const found = (byStatus[code] ??= [])
    if (found.length < most) found.push(index)
  }
  const order = [statusCodes.online, statusCodes.offline, statusCodes.other]
  const indexes = order.flatMap((code) => byStatus[code] ?? []).slice(0, most)
  return { total, own, online, indexes }
}
