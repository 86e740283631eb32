import type { NodeLook } from '../drawing/node-look.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { LandRings } from './land.ts'
import type { Projection } from './projection.ts'
import type { Region } from './region.ts'
import type { Strokes } from './strokes.ts'

/** Everything that a frame shows except nodes and land. The same object always, updated in place. */
export interface GlobeScene {
  widthPx: number
  heightPx: number
  pixelRatio: number
  readonly projection: Projection
  /** 0 in earth view, 1 in sky view. */
  skyShare: number
  /** How far the land has faded in since it loaded, 0 to 1. */
  landShare: number
  region: Region | undefined
  nodeLook: NodeLook
  readonly strokes: Strokes
}

/** Draws on one canvas, with WebGL or Canvas 2D. */
export interface GlobeRenderer {
  setNodes(columns: NodeColumns): void
  /** Call it when these nodes changed status in the columns that were set. */
  setStatuses(columns: NodeColumns, indexes: Uint32Array): void
  /** The group of each node, from 1; 0 for a single node. Undefined if there are no groups. */
  setGroups(columns: NodeColumns, groupOf: Uint32Array | undefined): void
  setLand(rings: LandRings): void
  draw(scene: GlobeScene): void
  dispose(): void
}

/** A higher ratio is not visible. */
const greatestRatio = 2
/**
 * Drawing this many pixels in software takes a quarter of a second on two busy cores. A globe as large as a
 * big screen is drawn a little coarser instead of later.
 */
const mostPixels = 2_500_000

/** Device pixels per CSS pixel for a canvas of this size. */
export function canvasPixelRatio(widthPx: number, heightPx: number, deviceRatio: number): number {
  const affordable = Math.sqrt(mostPixels / Math.max(1, widthPx * heightPx))
  return Math.min(greatestRatio, deviceRatio, affordable)
}
