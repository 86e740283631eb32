import type { NodeStore } from '../nodes/node-store.ts'

/** Yaw and pitch are the longitude and latitude that the visitor looks down on. */
export interface GlobeCamera {
  readonly view: 'sky' | 'earth'
  readonly zoom: number
  readonly yawDeg: number
  readonly pitchDeg: number
}

/** A place on the canvas, in CSS pixels from its top left corner. */
export interface ScreenPoint {
  readonly xPx: number
  readonly yPx: number
}

export interface GeoPoint {
  readonly latDeg: number
  readonly lonDeg: number
}

/** A 30-degree cell, counted from -90 and from -180. */
export interface Region {
  readonly latBand: number
  readonly lonBand: number
}

/** What is drawn beside the nodes. */
export interface GlobeMarks {
  readonly region: Region | undefined
  /** A node of the store. */
  readonly selectedIndex: number | undefined
  /** The node that the pointer or the keyboard is on. */
  readonly focusedIndex: number | undefined
  /** The visitor's saved location. */
  readonly you: GeoPoint | undefined
}

/** The drawn globe. It draws when something changed, and never otherwise. */
export interface Globe {
  readonly drawnBy: 'webgl2' | 'canvas2d'
  readonly camera: GlobeCamera
  /** Pitch and zoom are brought into their ranges. Animated where motion is allowed. */
  setCamera(camera: GlobeCamera, motion: 'animated' | 'at-once'): void
  setMarks(marks: GlobeMarks): void
  /** Undefined where the point lies behind the globe. */
  project(point: GeoPoint): ScreenPoint | undefined
  /** The place under a point of the canvas; undefined beside the globe. */
  unproject(point: ScreenPoint): GeoPoint | undefined
  /** The nodes under a point that are not behind the globe, the nearest first. */
  pick(point: ScreenPoint): number[]
  /** Told with every drawn frame in which the camera moved, and once when it has come to rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  dispose(): void
}

/** Undefined where the browser gives no canvas context of any kind. */
export declare function createGlobe(canvas: HTMLCanvasElement, store: NodeStore): Globe | undefined
