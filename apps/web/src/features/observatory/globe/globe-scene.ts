import type { NodeLook } from '../drawing/node-look.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { LandRings } from './land.ts'
import type { Projection } from './projection.ts'
import type { Region } from './region.ts'
import type { Strokes } from './strokes.ts'

/** All that a frame shows beside nodes and land. One object, brought up to date in place. */
export interface GlobeScene {
  widthPx: number
  heightPx: number
  pixelRatio: number
  readonly projection: Projection
  /** 0 in earth view, 1 in sky view. */
  skyShare: number
  /** 0 to 1: how far the land has come up since it arrived. */
  landShare: number
  region: Region | undefined
  nodeLook: NodeLook
  readonly strokes: Strokes
}

/** Draws on one canvas, by WebGL or Canvas 2D. */
export interface GlobeRenderer {
  setNodes(columns: NodeColumns): void
  /** These nodes have another status in the columns that were set. */
  setStatuses(columns: NodeColumns, indexes: Uint32Array): void
  /** The group of each node that was set, from 1 on; 0 for one that stands alone. */
  setGroups(columns: NodeColumns, groupOf: Uint32Array | undefined): void
  setLand(rings: LandRings): void
  draw(scene: GlobeScene): void
  dispose(): void
}

/** More pixels than two for one are not seen. */
const greatestRatio = 2
/**
 * So many pixels take a quarter of a second where two busy cores draw them by software: a globe as
 * large as a big screen is drawn a little coarser instead of later still.
 */
const mostPixels = 2_500_000

/** Device pixels for each CSS pixel of a canvas of this size. */
export function canvasPixelRatio(widthPx: number, heightPx: number, deviceRatio: number): number {
  const affordable = Math.sqrt(mostPixels / Math.max(1, widthPx * heightPx))
  return Math.min(greatestRatio, deviceRatio, affordable)
}
