import type { NodeColumns } from '../nodes/node-columns.ts'
import type { LandRings } from './land-rings.ts'
import type { NodeLook } from './node-look.ts'
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
  setLand(rings: LandRings): void
  draw(scene: GlobeScene): void
  dispose(): void
}
