import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { neighbourColor } from '../../../neighbours/neighbour-colours.ts'
import { neighbourAt, type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { MapPin, type MapPinProps, mapTextStyles } from './map-pins.tsx'
import type { MapView } from './map-view.ts'
import { type MapMarker, nodesOf, ownNodesOf } from './marker-cells.ts'
import {
  type Direction,
  type MarkerScene,
  nextMarker,
  scenePixel,
  shownCounts,
} from './marker-scene.ts'
import type { WorldPoint } from './map-camera.ts'
import { classNames } from '../../../ui/class-names.ts'
import { IslandShape } from '../islands/island-mark.tsx'
import { StatusMark, statusNames } from '../../../ui/status-badge.tsx'
import { ofNeighbours, statusWord, summarizeNode } from '../nodes/node-name.ts'

interface MapMarkersProps {
  readonly view: MapView
  readonly scene: MarkerScene
  readonly pins: readonly MapPinProps[]
  readonly onOpen: (marker: MapMarker) => void
  readonly onPoint: (id: string | undefined) => void
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** The markers on the map. One of them is in the tab order. Arrow keys move from it to the others. */
export function MapMarkers({ view, scene, pins, onOpen, onPoint }: MapMarkersProps) {
  const layer = useRef<HTMLDivElement>(null)
  const [reachable, setReachable] = useState('')
  const keys = scene.markers.map((marker) => markerKey(scene.columns, marker))
  const reachableKey = keys.includes(reachable) ? reachable : keys[0]

  useLayoutEffect(() => {
    const element = layer.current
    if (element === null) return undefined
    const points = [...pins.map(({ point }) => point), ...scene.markers]
    return followMap(element, view, scene, points)
  }, [view, scene, pins])

  const moveFocus = (event: KeyboardEvent) => {
    const direction = arrows[event.key]
    const from = keys.indexOf(reachableKey ?? '')
    const marker = scene.markers[from]
    if (direction === undefined || marker === undefined) return
    event.preventDefault()
    const pixels = scene.markers.map((point) => scenePixel(scene, view.camera, point))
    const next = nextMarker(pixels, scenePixel(scene, view.camera, marker), direction)
    const key = next === undefined ? undefined : keys[next]
    if (next === undefined || key === undefined) return
    setReachable(key)
    const button = layer.current?.querySelectorAll<HTMLElement>('[data-marker]')[next]
    button?.focus({ preventScroll: true })
  }

  return createPortal(
    <div ref={layer} className="font-sans">
      {pins.map((pin) => (
        <MapPin key={`${pin.kind} ${pin.text}`} {...pin} />
      ))}
      <fieldset aria-label={t`Devices on the map`} className="contents">
        {scene.markers.map((marker, index) => {
          const key = keys[index] ?? ''
          return (
            <MarkerButton
              key={key}
              marker={marker}
              columns={scene.columns}
              label={scene.labels[index]}
              isDrawn={view.drawsNodes}
              onKeyDown={moveFocus}
              onPoint={onPoint}
              isReachable={key === reachableKey}
              onOpen={() => {
                setReachable(key)
                onOpen(marker)
              }}
            />
          )
        })}
      </fieldset>
    </div>,
    view.overlay,
  )
}

/** Stays the same for a group with the same first node, so that its element keeps the focus. */
function markerKey(columns: NodeColumns, marker: MapMarker): string {
  const kind = nodesOf(marker) === 1 ? 'node' : 'group'
  return `${kind} ${textAt(columns.ids, marker.firstIndex)}`
}

/** A pan transforms the whole layer, with one style per frame. Only a zoom places each element. */
function followMap(
  layer: HTMLElement,
  view: MapView,
  scene: MarkerScene,
  points: readonly WorldPoint[],
): () => void {
  const elements = layer.querySelectorAll<HTMLElement>('[data-placed]')
  const anchor = { x: scene.grid.left, y: scene.grid.top }
  let placed = view.camera
  let offset = view.overlayOffset

  const placeAll = () => {
    placed = view.camera
    offset = view.overlayOffset
    const { xPx, yPx } = offset
    layer.style.transform = ''
    for (const [index, element] of elements.entries()) {
      const point = points[index]
      if (point === undefined) continue
      const pixel = scenePixel(scene, placed, point)
      element.style.transform = `translate(${Math.round(pixel.xPx + xPx)}px, ${Math.round(pixel.yPx + yPx)}px)`
    }
  }

  const follow = () => {
    const { camera, overlayOffset } = view
    if (camera.zoom !== placed.zoom) {
      placeAll()
      return
    }
    const from = scenePixel(scene, placed, anchor)
    const to = scenePixel(scene, camera, anchor)
    const xPx = to.xPx - from.xPx + overlayOffset.xPx - offset.xPx
    const yPx = to.yPx - from.yPx + overlayOffset.yPx - offset.yPx
    layer.style.transform = `translate(${Math.round(xPx)}px, ${Math.round(yPx)}px)`
  }

  placeAll()
  return view.subscribe(follow)
}

interface MarkerButtonProps {
  readonly marker: MapMarker
  readonly columns: NodeColumns
  readonly label: string | undefined
  /** Whether the map draws the node's mark itself. */
  readonly isDrawn: boolean
  readonly isReachable: boolean
  readonly onOpen: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** Called with the node that the mouse or the focus reaches, with undefined when it leaves. */
  readonly onPoint: (id: string | undefined) => void
}

function MarkerButton(props: MarkerButtonProps) {
  const { marker, columns, label, isDrawn, isReachable, onOpen, onKeyDown, onPoint } = props
  const isNode = nodesOf(marker) === 1
  const counts = shownCounts(marker)
  const point = () => onPoint(isNode ? textAt(columns.ids, marker.firstIndex) : undefined)
  const leave = () => onPoint(undefined)
  return (
    <button
      type="button"
      data-placed
      data-marker={isNode ? 'node' : 'group'}
      aria-label={isNode ? nodeText(columns, marker.firstIndex) : groupText(marker)}
      title={!isNode && marker.neighbours > 0 ? groupText(marker) : undefined}
      tabIndex={isReachable ? 0 : -1}
      onClick={onOpen}
      onKeyDown={onKeyDown}
      onMouseEnter={point}
      onMouseLeave={leave}
      onFocus={point}
      onBlur={leave}
      className={classNames(
        'pointer-events-auto absolute -translate-x-1/2 -translate-y-1/2 rounded-full',
        isNode
          ? 'grid size-7 place-items-center hover:bg-accent-soft'
          : 'flex h-7 items-center gap-1 border border-line-strong bg-panel/95 px-2.5 text-xs whitespace-nowrap text-ink shadow-raised transition-colors hover:border-edge hover:bg-hover',
      )}
    >
      {isNode ? (
        <NodeMark columns={columns} index={marker.firstIndex} isDrawn={isDrawn} />
      ) : (
        <>
          {counts.all !== '' && (
            <>
              <Mark status={marker.online > 0 ? 'online' : 'offline'} />
              <span data-numeric>{counts.online}</span>
              <span data-numeric className="text-muted">
                {counts.all}
              </span>
            </>
          )}
          {counts.neighbours !== '' && <span data-numeric>{counts.neighbours}</span>}
        </>
      )}
      {label !== undefined && (
        <span
          dir="auto"
          className={classNames(
            mapTextStyles,
            'absolute top-1/2 left-full -ml-0.5 -translate-y-1/2',
          )}
        >
          {label}
        </span>
      )}
    </button>
  )
}

function NodeMark({
  columns,
  index,
  isDrawn,
}: {
  columns: NodeColumns
  index: number
  isDrawn: boolean
}) {
  const status = statusWord(columns.status[index])
  const isIsland = columns.islands.includes(index)
  const neighbour = neighbourAt(columns, index)
  return (
    <>
      {columns.privates.includes(index) && (
        <span aria-hidden className="absolute size-4.5 rounded-full border border-ink/85" />
      )}
      {isIsland && (
        <span className="absolute grid size-6 place-items-center rounded-full bg-ground/90">
          <IslandShape isOpen={status === 'online'} className="size-4.5" />
        </span>
      )}
      {/* The map draws it around a node's mark. The ground of an island's covers it. */}
      {neighbour !== undefined && (isIsland || !isDrawn) && (
        <span
          aria-hidden
          className={classNames(
            'absolute rounded-full border-2',
            isIsland ? 'size-6.5' : 'size-4.5',
          )}
          style={{ borderColor: neighbourColor(neighbour.colour) }}
        />
      )}
      {!isIsland && !isDrawn && <Mark status={status} />}
    </>
  )
}

function Mark({ status }: { status: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0" fill="none">
      <StatusMark status={status} />
    </svg>
  )
}

function nodeText(columns: NodeColumns, index: number): string {
  const { name, status, isPrivate, island } = summarizeNode(columns, index)
  const neighbour = neighbourAt(columns, index)?.name
  const texts = [name, statusNames[status]]
  if (isPrivate) texts.push(t`private`)
  if (neighbour !== undefined) texts.push(t`of ${neighbour}`)
  if (island !== undefined) {
    const { name: islandName } = island
    texts.push(t`island ${islandName}`)
  }
  return texts.join(', ')
}

function groupText(marker: MapMarker): string {
  const { online, offline, other } = marker
  const parts = [
    online > 0 && plural(online, { one: '# online', other: '# online' }),
    offline > 0 && plural(offline, { one: '# offline', other: '# offline' }),
    other > 0 && plural(other, { one: '# unknown', other: '# unknown' }),
  ]
  const states = parts.filter((part) => part !== false).join(', ')
  const own = ownNodesOf(marker)
  const texts = [
    own > 0 && t`${plural(own, { one: '# device', other: '# devices' })}: ${states}`,
    marker.neighbours > 0 && ofNeighbours(marker.neighbours),
  ]
  return texts.filter((text) => text !== false).join(' · ')
}
