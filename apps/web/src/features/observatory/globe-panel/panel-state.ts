import { createEmitter } from '../../../lib/emitter.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'
import type { Region } from '../globe/region.ts'
import type { NodeSummary } from '../nodes/node-name.ts'
import type { Sight } from '../selection.ts'

export interface Choice {
  /** Place of the click, in CSS pixels from the globe's top left corner. */
  readonly xPx: number
  readonly yPx: number
  readonly nodes: readonly NodeSummary[]
  readonly total: number
  /** How many of them are this installation's. */
  readonly own: number
  /** Where the map shows the nodes apart; undefined if they are not a group. */
  readonly sight: Sight | undefined
}

export interface ShownCard {
  readonly id: string
  readonly xPx: number
  readonly yPx: number
  /** Opened by touch, with buttons. Otherwise it closes when the pointer or the focus leaves. */
  readonly isOpened: boolean
}

/** What React renders around the globe. It does not change while the globe only turns. */
export interface PanelSnapshot {
  /** Impossible if the browser gives no canvas context. */
  readonly drawing: 'starting' | 'drawn' | 'impossible'
  readonly view: GlobeCamera['view']
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly region: Region | undefined
  readonly choice: Choice | undefined
  readonly card: ShownCard | undefined
  readonly spoken: string
}

export type PanelState = ReturnType<typeof createPanelState>

export function createPanelState(view: GlobeCamera['view']) {
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
    change(part: Partial<PanelSnapshot>) {
      const next = { ...snapshot, ...part }
      if (isSame(snapshot, next)) return
      snapshot = next
      changes.emit()
    },
    subscribe: changes.on,
  }
}

const plainKeys = [
  'drawing',
  'view',
  'canZoomIn',
  'canZoomOut',
  'choice',
  'card',
  'spoken',
] as const

function isSame(one: PanelSnapshot, other: PanelSnapshot): boolean {
  return (
    one.region?.latBand === other.region?.latBand &&
    one.region?.lonBand === other.region?.lonBand &&
    plainKeys.every((key) => one[key] === other[key])
  )
}
