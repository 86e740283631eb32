import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from 'react'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowLeft from 'virtual:icon/arrow-left'
import ArrowRight from 'virtual:icon/arrow-right'
import ArrowUp from 'virtual:icon/arrow-up'
import Earth from 'virtual:icon/earth'
import Minus from 'virtual:icon/minus'
import Plus from 'virtual:icon/plus'
import { type ViewControl, ViewControls } from '../../../ui/view-controls.tsx'
import {
  clampedZoom,
  type MapCamera,
  maxZoom,
  minZoom,
  pannedBy,
  wholeWorld,
} from './map-camera.ts'
import type { Size } from '../geometry/boxes.ts'

export type MapAction = 'west' | 'east' | 'north' | 'south' | 'zoom-in' | 'zoom-out' | 'whole-world'

const directions: Readonly<Partial<Record<MapAction, readonly [east: number, south: number]>>> = {
  west: [-1, 0],
  east: [1, 0],
  north: [0, -1],
  south: [0, 1],
}

/** 'whole-world' centres on the part of the world with the most of the nodes at `lonDeg`. */
export function afterAction(
  action: MapAction,
  camera: MapCamera,
  size: Size,
  { lonDeg, stepPx = 120 }: { lonDeg?: Float64Array; stepPx?: number } = {},
): MapCamera {
  if (action === 'whole-world') return wholeWorld(size, lonDeg)
  const [east, south] = directions[action] ?? []
  if (east !== undefined && south !== undefined) {
    return pannedBy(camera, size, east * stepPx, south * stepPx)
  }
  return { ...camera, zoom: clampedZoom(camera.zoom + (action === 'zoom-in' ? 1 : -1)) }
}

const keyActions: Readonly<Record<string, MapAction>> = {
  ArrowLeft: 'west',
  ArrowRight: 'east',
  ArrowUp: 'north',
  ArrowDown: 'south',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  _: 'zoom-out',
  Home: 'whole-world',
}

export function keyAction(key: string): MapAction | undefined {
  return Object.hasOwn(keyActions, key) ? keyActions[key] : undefined
}

const moves: readonly ViewControl<MapAction>[] = [
  { action: 'west', name: t`Move map west`, Icon: ArrowLeft },
  { action: 'north', name: t`Move map north`, Icon: ArrowUp },
  { action: 'south', name: t`Move map south`, Icon: ArrowDown },
  { action: 'east', name: t`Move map east`, Icon: ArrowRight },
]

interface MapControlsProps {
  readonly zoom: number
  readonly onAction: (action: MapAction) => void
  readonly onlyZooms?: boolean
}

export function MapControls({ zoom, onAction, onlyZooms = false }: MapControlsProps) {
  const groups: (readonly ViewControl<MapAction>[])[] = [
    [
      { action: 'zoom-out', name: t`Zoom map out`, Icon: Minus, isPossible: zoom > minZoom },
      { action: 'zoom-in', name: t`Zoom map in`, Icon: Plus, isPossible: zoom < maxZoom },
    ],
    [{ action: 'whole-world', name: t`Show the whole world`, Icon: Earth }],
  ]
  return (
    <ViewControls
      label={onlyZooms ? t`Zoom the map` : t`Move and zoom the map`}
      groups={onlyZooms ? groups : [moves, ...groups]}
      onAction={onAction}
    />
  )
}

export const clickPx = 4

interface SurfaceHandlers {
  readonly onAction: (action: MapAction) => void
  readonly onEscape: () => void
  readonly onPressBeside: () => void
}

/** Handles keys and clicks on the map, including those that bubble up from its markers. */
export function useSurfaceEvents({ onAction, onEscape, onPressBeside }: SurfaceHandlers) {
  const pressedAt = useRef({ xPx: 0, yPx: 0 })
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'Escape') onEscape()
      const action = keyAction(event.key)
      // On a marker, arrow keys move to the next marker.
      const isMarkers = isOnMarker(event.target) && event.key.startsWith('Arrow')
      if (action === undefined || isMarkers) return
      event.preventDefault()
      onAction(action)
    },
    onPointerDown: ({ clientX, clientY }: PointerEvent) => {
      pressedAt.current = { xPx: clientX, yPx: clientY }
    },
    onClick: ({ clientX, clientY, target }: MouseEvent) => {
      const { xPx, yPx } = pressedAt.current
      const isDrag = Math.hypot(clientX - xPx, clientY - yPx) > clickPx
      if (!isDrag && !isOnMarker(target)) onPressBeside()
    },
  }
}

function isOnMarker(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-marker]') !== null
}
