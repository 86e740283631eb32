import type { GeoPoint } from './geo-point.ts'
import type { GlobeCamera } from './globe-camera.ts'
import type { GlobeMarks } from './globe-marks.ts'
import type { ScreenPoint } from './projection.ts'

export type { GeoPoint } from './geo-point.ts'
export type { GlobeCamera } from './globe-camera.ts'
export type { GlobeMarks } from './globe-marks.ts'
export type { ScreenPoint } from './projection.ts'
export type { Region } from './region.ts'
export { createGlobe } from './create-globe.ts'

export interface GlobeOptions {
  /** Draws by Canvas 2D: for the fresh canvas after a globe was given up. */
  readonly withoutWebgl?: boolean
}

/** The drawn globe. It draws when something changed, and never otherwise. */
export interface Globe {
  readonly drawnBy: 'webgl2' | 'canvas2d'
  /** Where it is or, while it moves, where it moves to. */
  readonly camera: GlobeCamera
  /** Of the planet as drawn now, in CSS pixels: a drag over this length turns it by one radian. */
  readonly radiusPx: number
  /** Pitch and zoom are brought into their ranges. Animated where motion is allowed. */
  setCamera(camera: GlobeCamera, motion: 'animated' | 'at-once'): void
  /** Ends an animation where it is, for a drag that starts meanwhile; a change of view is completed. */
  halt(): void
  setMarks(marks: GlobeMarks): void
  /** Undefined where the point lies behind the globe. */
  project(point: GeoPoint): ScreenPoint | undefined
  /** The place under a point of the canvas; undefined beside the globe. */
  unproject(point: ScreenPoint): GeoPoint | undefined
  /**
   * The nodes within reach of a point (10 px unless said otherwise; a fingertip wants about 22) that
   * are not behind the globe: the nearest first, of equally near ones the online first.
   */
  pick(point: ScreenPoint, reachPx?: number): number[]
  /** Told with every drawn frame in which the camera moved, and once when it has come to rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  /**
   * Told when this canvas can show nothing any more: its WebGL context was lost and did not come
   * back. A canvas keeps its kind of context for life, so make the globe anew, on a fresh canvas and
   * without WebGL.
   */
  onGivenUp(listener: () => void): () => void
  dispose(): void
}
