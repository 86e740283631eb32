import type { Place } from '../geometry/unit-vector.ts'
import type { Globe } from '../globe/globe.ts'
import type { Region } from '../globe/region.ts'
import { findNode, textAt } from '../nodes/node-columns.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import { classNames } from '../../../ui/class-names.ts'
import { type Box, firstFree } from '../geometry/boxes.ts'
import type { ScreenPoint } from '../globe/projection.ts'

interface MarkingParts {
  readonly globe: Globe
  readonly labels: ReturnType<typeof createGlobeLabels>
  readonly store: NodeStore
  readonly selection: Selection
}

export type GlobeMarking = ReturnType<typeof createGlobeMarking>

export function createGlobeMarking({ globe, labels, store, selection }: MarkingParts) {
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
  const labelOf = (index: number | undefined) =>
    index === undefined ? undefined : summarizeNode(store.columns, index)
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
    setRegion(next: Region | undefined) {
      region = next
      mark()
    },
    setYou: (next: GlobeLabel | undefined) => {
      you = next
      labels.show('you', next)
      mark()
    },
    hover(index: number | undefined) {
      if (index === hoveredIndex) return
      hoveredIndex = index
      showPointed()
    },
    focus,
    focusedIndex: () => focusedIndex,
    /** Call it when the globe has turned: a node that is now behind it loses the keyboard focus. */
    leaveHidden() {
      const label = labelOf(focusedIndex)
      if (label !== undefined && globe.project(label) === undefined) focus(undefined)
    },
    select,
    /** Call it when the nodes were replaced, which changes their indexes. */
    renew() {
      hoveredIndex = undefined
      focusedIndex = focusedId === undefined ? undefined : findNode(store.columns, focusedId)
      if (focusedIndex === undefined) focusedId = undefined
      select()
    },
  }
}

export interface GlobeLabel extends Place {
  readonly name: string
}

/** Labels in order of priority. If two would overlap, the first one stays. */
const kinds = ['pointed', 'selected', 'you'] as const
type Kind = (typeof kinds)[number]

const kindClasses: Record<Kind | 'territory', string> = {
  pointed:
    'border border-line-strong bg-raised text-ink shadow-raised px-2 py-0.5 in-data-carded:opacity-0',
  selected: 'border border-edge bg-panel text-ink px-2 py-0.5',
  you: 'bg-accent-soft text-accent font-medium px-1.5',
  territory:
    'font-medium text-ink [text-shadow:0_0_3px_var(--color-ground),0_0_6px_var(--color-ground)]',
}

const liftPx = 12
const marginPx = 4
/** From this zoom on, states are wide enough for their names. */
const territoryZoom = 1.4

interface Shown extends Pick<Box, 'widthPx' | 'heightPx'> {
  readonly element: HTMLElement
  readonly label: GlobeLabel
  readonly isTerritory: boolean
}

/** The labels on the globe. They move with it every frame, so they are plain DOM elements outside React. */
export function createGlobeLabels(layer: HTMLElement, globe: Globe) {
  const byKind = new Map<Kind, Shown>()
  let territories: readonly Shown[] = []
  let isOver = false

  const add = (label: GlobeLabel, kind: Kind | 'territory'): Shown => {
    const element = layer.ownerDocument.createElement('span')
    element.className = classNames(
      'absolute top-0 left-0 max-w-56 truncate rounded-mark text-xs whitespace-nowrap',
      kindClasses[kind],
    )
    element.dataset['label'] = kind
    element.textContent = label.name
    layer.append(element)
    const { offsetWidth: widthPx, offsetHeight: heightPx } = element
    return { element, label, isTerritory: kind === 'territory', widthPx, heightPx }
  }

  const move = () => {
    const taken: Box[] = []
    for (const shown of [...kinds.flatMap((kind) => byKind.get(kind) ?? []), ...territories]) {
      const { element, label } = shown
      const point = globe.project(label)
      const free = point && firstFree(wishes(point, shown, layer.clientWidth), taken)
      element.style.visibility = free === undefined ? 'hidden' : 'visible'
      if (free === undefined) continue
      element.style.transform = `translate(${free.leftPx.toFixed(1)}px, ${free.topPx.toFixed(1)}px)`
      taken.push(free)
    }
  }

  const showTerritories = (labels: readonly GlobeLabel[]) => {
    for (const { element } of territories) element.remove()
    territories = labels.map((label) => add(label, 'territory'))
    move()
  }
  const areTerritoriesWanted = () =>
    !isOver && globe.camera.view === 'earth' && globe.camera.zoom >= territoryZoom
  const loadTerritories = async () => {
    const { stateNames } = await import('../countries/country-table.ts')
    if (areTerritoriesWanted() && territories.length === 0) showTerritories(stateNames)
  }

  return {
    move,
    show(kind: Kind, label: GlobeLabel | undefined) {
      byKind.get(kind)?.element.remove()
      byKind.delete(kind)
      if (label !== undefined) byKind.set(kind, add(label, kind))
      move()
    },
    /** Call it when the globe has come to rest. Names of states depend on the zoom. */
    rested() {
      if (areTerritoriesWanted()) {
        // Names are decoration. If the table does not load, this tries again at the next rest.
        loadTerritories().catch(() => undefined)
      } else if (territories.length > 0) showTerritories([])
    },
    dispose: () => {
      isOver = true
    },
  }
}

/** Best first. A territory's name goes over its middle or one line off; other labels go above. */
function wishes(
  { xPx, yPx }: ScreenPoint,
  { isTerritory, widthPx, heightPx }: Shown,
  layerWidthPx: number,
): readonly Box[] {
  const left = xPx - widthPx / 2
  if (isTerritory) {
    const middle = yPx - heightPx / 2
    return [middle, middle + heightPx, middle - heightPx].map((topPx) => ({
      leftPx: left,
      topPx,
      widthPx,
      heightPx,
    }))
  }
  const above = yPx - heightPx - liftPx
  const farthestLeft = layerWidthPx - widthPx - marginPx
  return [
    {
      widthPx,
      heightPx,
      leftPx: Math.min(farthestLeft, Math.max(marginPx, left)),
      topPx: above < marginPx ? yPx + liftPx : above,
    },
  ]
}
