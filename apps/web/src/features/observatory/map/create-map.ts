import type { NodeStore } from '../nodes/node-store.ts'
import type { MapView } from './map-view.ts'

export interface MapOptions {
  readonly container: HTMLElement
  readonly store: NodeStore
  /** Told when a map that was there can't go on; with the reason. */
  readonly onFailure: (message: string) => void
}

/** Draws a map into the container; rejects, with a reason that people can read, when it can't. */
export type CreateMap = (options: MapOptions) => Promise<MapView>

/** Fetched when a map is first shown. */
export const createOpenMap: CreateMap = async (options) => {
  const map = await import('./open-map.ts')
  return map.createOpenMap(options)
}

/** Fetched when a map is first shown, and only in a build with a key. */
export const createServiceMap: CreateMap = async (options) => {
  const map = await import('./service-map.ts')
  return map.createServiceMap(options)
}
