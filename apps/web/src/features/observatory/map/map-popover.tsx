import { safeLink } from '@astropelago/contract/devices'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import ChevronLeft from 'virtual:icon/chevron-left'
import MapPin from 'virtual:icon/map-pin'
import X from 'virtual:icon/x'
import { paths } from '../../../paths.ts'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { findNode, type NodeColumns } from '../nodes/node-columns.ts'
import { DevicePageLink } from '../nodes/device-page-link.tsx'
import { NodeFacts } from '../nodes/node-card.tsx'
import { ReportButton } from '../nodes/report-button.tsx'
import { type NodeSummary, summarizeNode } from '../nodes/node-name.ts'
import type { MapPixel, MapSize } from './map-camera.ts'
import type { Opened, useOpened } from './map-opening.ts'
import type { MapView } from './map-view.ts'
import { type MarkerScene, scenePixel } from './marker-scene.ts'
import { type WorldPoint, worldPoint } from './mercator.ts'

interface OpenedPopoverProps {
  readonly opened: Opened
  readonly view: MapView
  readonly scene: MarkerScene
  readonly actions: Pick<ReturnType<typeof useOpened>, 'openNode' | 'backTo'>
  readonly onClose: () => void
}

/** The open node or list. It stays next to its place while the map moves. */
export function OpenedPopover({ opened, view, scene, actions, onClose }: OpenedPopoverProps) {
  const { columns } = scene
  if (opened.kind === 'spot') {
    const { spot } = opened
    return (
      <MapPopover
        title={`${spot.total.toLocaleString('en')} devices here`}
        at={spot.at}
        {...{ view, scene, onClose }}
        onBack={undefined}
      >
        <SpotList
          columns={columns}
          ids={spot.ids}
          total={spot.total}
          onChoose={(id) => actions.openNode(id, spot)}
        />
      </MapPopover>
    )
  }
  const index = findNode(columns, opened.id)
  // It may have been deleted while open.
  if (index === undefined) return null
  const node = summarizeNode(columns, index)
  const { spot } = opened
  return (
    <MapPopover
      title={node.name}
      at={worldPoint(node)}
      {...{ view, scene, onClose }}
      onBack={spot && (() => actions.backTo(spot))}
    >
      <OpenedNode node={node} />
    </MapPopover>
  )
}

interface MapPopoverProps {
  readonly title: string
  readonly at: WorldPoint
  readonly view: MapView
  readonly scene: MarkerScene
  readonly onClose: () => void
  readonly onBack: (() => void) | undefined
  readonly children: ReactNode
}

/** A box next to a place on the map. It takes the focus when it opens. */
function MapPopover({ title, at, view, scene, onClose, onBack, children }: MapPopoverProps) {
  const titleId = useId()
  const box = usePlacedBeside<HTMLDialogElement>(at, view, scene)

  useEffect(() => {
    box.current?.focus({ preventScroll: true })
  }, [box])

  return (
    <dialog
      ref={box}
      open
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
      className="absolute top-0 right-auto left-0 z-10 m-0 flex max-h-[20rem] w-[17rem] max-w-[calc(100%-16px)] flex-col overflow-hidden rounded-control border border-line-strong bg-panel p-0 text-ink shadow-raised outline-none"
    >
      <header className="flex items-start gap-1 border-b border-line py-2 pr-1.5 pl-3">
        {onBack !== undefined && (
          <PopoverButton name="Back to the devices here" onPress={onBack}>
            <ChevronLeft aria-hidden className="size-4" />
          </PopoverButton>
        )}
        <h3
          id={titleId}
          dir="auto"
          className="min-w-0 flex-1 py-1 text-sm font-semibold break-words"
        >
          {title}
        </h3>
        <PopoverButton name="Close" onPress={onClose}>
          <X aria-hidden className="size-4" />
        </PopoverButton>
      </header>
      {children}
    </dialog>
  )
}

/** A ref for a box that stays next to a place while the map moves. */
export function usePlacedBeside<E extends HTMLElement>(
  at: WorldPoint | undefined,
  view: MapView,
  scene: MarkerScene,
): RefObject<E | null> {
  const box = useRef<E>(null)
  const { x, y } = at ?? {}
  useLayoutEffect(() => {
    if (x === undefined || y === undefined) return undefined
    const move = () => {
      const element = box.current
      if (element === null) return
      const sizes = { widthPx: element.offsetWidth, heightPx: element.offsetHeight }
      const { xPx, yPx } = popoverCorner(scenePixel(scene, view.camera, { x, y }), sizes, view.size)
      element.style.transform = `translate(${xPx}px, ${yPx}px)`
    }
    move()
    return view.subscribe(move)
  }, [view, scene, x, y])
  return box
}

interface PopoverButtonProps {
  readonly name: string
  readonly onPress: () => void
  readonly children: ReactNode
}

function PopoverButton({ name, onPress, children }: PopoverButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      onClick={onPress}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-mark text-muted transition-colors hover:bg-hover hover:text-ink"
    >
      {children}
    </button>
  )
}

/** A node's details, with a button to where it leads. */
function OpenedNode({ node }: { node: NodeSummary }) {
  const href = safeLink(node.link)
  return (
    <div className="flex flex-col items-start gap-1.5 px-3 py-3">
      <NodeFacts node={node} />
      <p data-numeric className="flex h-4 items-center gap-2 text-xs text-muted">
        <MapPin aria-hidden className="size-3.5 shrink-0" />
        {formatCoordinate(node.latDeg)}, {formatCoordinate(node.lonDeg)}
      </p>
      <div className="mt-1.5 flex w-full flex-wrap items-center gap-2">
        {node.island && (
          <Link to={paths.island(node.island.slug)} className={buttonStyles({ size: 'sm' })}>
            To the island
          </Link>
        )}
        {href !== undefined && (
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonStyles({ size: 'sm', variant: node.island ? 'outline' : 'default' })}
          >
            Visit
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        )}
        <DevicePageLink node={node} />
        <ReportButton node={node} />
      </div>
    </div>
  )
}

interface SpotListProps {
  readonly columns: NodeColumns
  readonly ids: readonly string[]
  readonly total: number
  readonly onChoose: (id: string) => void
}

/** The nodes that share a place, up to the limit of the list. */
function SpotList({ columns, ids, total, onChoose }: SpotListProps) {
  const nodes = ids.flatMap((id) => {
    const index = findNode(columns, id)
    return index === undefined ? [] : [summarizeNode(columns, index)]
  })
  const more = total - ids.length
  return (
    <>
      <ul className="min-h-0 overflow-y-auto p-1">
        {nodes.map(({ id, name, status }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="flex w-full items-center gap-3 rounded-mark px-2 py-1.5 text-left text-sm text-ink hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {name}
              </span>
              <StatusBadge status={status} />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p data-numeric className="border-t border-line px-3 py-2 text-xs text-muted">
          and {more.toLocaleString('en')} more: the list below has all of them
        </p>
      )}
    </>
  )
}

const marginPx = 8
/** Keeps the popover clear of its marker. */
const gapPx = 20

/** Places the popover next to a place, above or below it where there is more room, and inside the map. */
export function popoverCorner(
  at: MapPixel,
  popover: { readonly widthPx: number; readonly heightPx: number },
  map: MapSize,
): MapPixel {
  const isInUpperHalf = at.yPx < map.heightPx / 2
  const topPx = isInUpperHalf ? at.yPx + gapPx : at.yPx - gapPx - popover.heightPx
  return {
    xPx: within(at.xPx - popover.widthPx / 2, map.widthPx - popover.widthPx),
    yPx: within(topPx, map.heightPx - popover.heightPx),
  }
}

function within(px: number, mostPx: number): number {
  return Math.round(Math.max(marginPx, Math.min(mostPx - marginPx, px)))
}
