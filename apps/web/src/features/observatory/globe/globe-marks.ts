import type { GeoPoint } from './geo-point.ts'
import type { Region } from './region.ts'

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

export const noMarks: GlobeMarks = {
  region: undefined,
  selectedIndex: undefined,
  focusedIndex: undefined,
  you: undefined,
}
