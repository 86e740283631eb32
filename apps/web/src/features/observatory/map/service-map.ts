import type { MapOptions } from './create-map.ts'
import type { MapView } from './map-view.ts'

export async function createServiceMap(_options: MapOptions): Promise<MapView> {
  throw new Error('todo')
}
