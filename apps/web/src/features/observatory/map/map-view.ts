import type { MapCamera, MapSize } from './map-camera.ts'

/** How the camera gets there: in a flight, in a short slide, or at once where motion is unwanted. */
export type Motion = 'flight' | 'step' | 'at-once'

/** A map that is there: MapLibre's, or the maps service's. */
export interface MapView {
  /** Where markers are placed: it is cut off with the map and lies under the map's own controls. */
  readonly overlay: HTMLElement
  /** Where the map's top left corner lies on the overlay. */
  readonly overlayOffset: { readonly xPx: number; readonly yPx: number }
  readonly camera: MapCamera
  readonly size: MapSize
  /** Whether the map draws every node itself; where not, markers draw theirs. */
  readonly drawsNodes: boolean
  setCamera(camera: MapCamera, motion: Motion): void
  /** Told with every frame in which the camera moved, and once when it has come to rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  dispose(): void
}
