import type { Place } from '../geometry/unit-vector.ts'
import type { Globe } from '../globe/globe.ts'
import type { Region } from '../globe/region.ts'
import { findNode, textAt } from '../nodes/node-columns.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import type { GlobeLabel, GlobeLabels } from './globe-labels.ts'

interface MarkingParts {
  readonly globe: Globe
  readonly labels: GlobeLabels
  readonly store: NodeStore
  readonly selection: Selection
}

export interface GlobeMarking {
  readonly setRegion: (region: Region | undefined) => void
  readonly setYou: (you: GlobeLabel | undefined) => void
  /** The node under the mouse. */
  readonly hover: (index: number | undefined) => void
  /** The node with the keyboard focus. */
  readonly focus: (index: number | undefined) => void
  readonly focusedIndex: () => number | undefined
  /** Call it when the globe has turned: a node that is now behind it loses the keyboard focus. */
  readonly leaveHidden: () => void
  /** Call it when the selection has changed. */
  readonly select: () => void
  /** Call it when the nodes were replaced, which changes their indexes. */
  readonly renew: () => void
}

/** Marks and labels the node that is pointed at, the selected node and the visitor's saved location. */
export function createGlobeMarking(parts: MarkingParts): GlobeMarking {
  const { globe, labels, store, selection } = parts
  let region: Region | undefined
  let you: Place | undefined
  let hoveredIndex: number | undefined
  let focusedIndex: number | undefined
  let focusedId: string | undefined
  let selectedIndex: number | undefined

  const mark = () => {
    const pointedIndex = hoveredIndex ?? focusedIndex
    globe.setMarks({ region, selectedIndex, focusedIndex: pointedIndex, you })
  }
  const labelOf = (index: number | undefined): GlobeLabel | undefined => {
    if (index === undefined) return undefined
    const { name, latDeg, lonDeg } = summarizeNode(store.columns, index)
    return { text: name, latDeg, lonDeg }
  }
  const showPointed = () => {
    const pointedIndex = hoveredIndex ?? focusedIndex
    labels.show('pointed', labelOf(pointedIndex))
    labels.show('selected', selectedIndex === pointedIndex ? undefined : labelOf(selectedIndex))
    mark()
  }
  const select = () => {
    const { selectedId } = selection
    selectedIndex = selectedId === undefined ? undefined : findNode(store.columns, selectedId)
    showPointed()
  }
  const focus = (index: number | undefined) => {
    if (index === focusedIndex) return
    focusedIndex = index
    focusedId = index === undefined ? undefined : textAt(store.columns.ids, index)
    showPointed()
  }

  return {
    setRegion(next) {
      region = next
      mark()
    },
    setYou(next) {
      you = next
      labels.show('you', next)
      mark()
    },
    hover(index) {
      if (index === hoveredIndex) return
      hoveredIndex = index
      showPointed()
    },
    focus,
    focusedIndex: () => focusedIndex,
    leaveHidden() {
      const label = labelOf(focusedIndex)
      if (label !== undefined && globe.project(label) === undefined) focus(undefined)
    },
    select,
    renew() {
      hoveredIndex = undefined
      focusedIndex = focusedId === undefined ? undefined : findNode(store.columns, focusedId)
      if (focusedIndex === undefined) focusedId = undefined
      select()
    },
  }
}
