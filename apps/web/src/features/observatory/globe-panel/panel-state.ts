import { createEmitter } from '../../../lib/emitter.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'
import type { Region } from '../globe/region.ts'
import type { NodeSummary } from '../nodes/node-name.ts'
import type { Sight } from '../selection.ts'

/** The nodes that lie under a click, to choose one of. */
export interface Choice {
  /** Where the click was, in CSS pixels from the globe's top left corner. */
  readonly xPx: number
  readonly yPx: number
  /** The first of them. */
  readonly nodes: readonly NodeSummary[]
  readonly total: number
  /** Where the map would show them apart; undefined where they were picked one by one. */
  readonly sight: Sight | undefined
}

/** The card at a node. */
export interface ShownCard {
  readonly id: string
  /** Where the node is, in CSS pixels from the globe's top left corner. */
  readonly xPx: number
  readonly yPx: number
  /** Whether it was opened, to be pressed; otherwise it goes when the pointer or the keyboard does. */
  readonly isOpened: boolean
}

/** What React shows around the globe. Nothing in it changes while the globe merely turns. */
export interface PanelSnapshot {
  /** Impossible where the browser gives no canvas context. */
  readonly drawing: 'starting' | 'drawn' | 'impossible'
  readonly view: GlobeCamera['view']
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly region: Region | undefined
  readonly choice: Choice | undefined
  readonly card: ShownCard | undefined
  /** The last thing that the keyboard did, for those who listen. */
  readonly spoken: string
}

export interface PanelState {
  readonly read: () => PanelSnapshot
  /** Tells the listeners only if something is different then. */
  readonly change: (part: Partial<PanelSnapshot>) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createPanelState(view: GlobeCamera['view']): PanelState {
  const changes = createEmitter()
  let snapshot: PanelSnapshot = {
    drawing: 'starting',
    view,
    canZoomIn: true,
    canZoomOut: true,
    region: undefined,
    choice: undefined,
    card: undefined,
    spoken: '',
  }
  return {
    read: () => snapshot,
    change(part) {
      const next = { ...snapshot, ...part }
      if (isSame(snapshot, next)) return
      snapshot = next
      changes.emit()
    },
    subscribe: changes.on,
  }
}

function isSame(one: PanelSnapshot, other: PanelSnapshot): boolean {
  return (
    one.drawing === other.drawing &&
    one.view === other.view &&
    one.canZoomIn === other.canZoomIn &&
    one.canZoomOut === other.canZoomOut &&
    one.region?.latBand === other.region?.latBand &&
    one.region?.lonBand === other.region?.lonBand &&
    one.choice === other.choice &&
    one.card === other.card &&
    one.spoken === other.spoken
  )
}
