import { clampedZoom, type MapCamera, type MapSize, pannedBy, wholeWorld } from './map-camera.ts'

/** What keys and buttons do to the map. */
export type MapAction = 'west' | 'east' | 'north' | 'south' | 'zoom-in' | 'zoom-out' | 'whole-world'

const stepPx = 120

const moves: Readonly<Partial<Record<MapAction, readonly [eastPx: number, southPx: number]>>> = {
  west: [-stepPx, 0],
  east: [stepPx, 0],
  north: [0, -stepPx],
  south: [0, stepPx],
}

export function afterAction(action: MapAction, camera: MapCamera, size: MapSize): MapCamera {
  if (action === 'whole-world') return wholeWorld(size)
  const move = moves[action]
  if (move !== undefined) return pannedBy(camera, size, ...move)
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

/** What a key does on the map; undefined where it is the browser's. */
export function keyAction(key: string): MapAction | undefined {
  return Object.hasOwn(keyActions, key) ? keyActions[key] : undefined
}
