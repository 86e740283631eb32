import { classNames } from '../../../ui/class-names.ts'
import { type Box, firstFree } from '../geometry/boxes.ts'
import type { Place } from '../geometry/unit-vector.ts'
import type { Globe } from '../globe/globe.ts'
import type { ScreenPoint } from '../globe/projection.ts'

export interface GlobeLabel extends Place {
  readonly text: string
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

/** Distance above the label's mark. */
const liftPx = 12
const marginPx = 4
/** From this zoom on, states are wide enough for their names. */
const territoryZoom = 1.4

interface Shown extends Pick<Box, 'widthPx' | 'heightPx'> {
  readonly element: HTMLElement
  readonly label: GlobeLabel
  readonly isTerritory: boolean
}

export interface GlobeLabels {
  readonly show: (kind: Kind, label: GlobeLabel | undefined) => void
  /** Moves every label to where its place is now. */
  readonly move: () => void
  /** Call it when the globe has come to rest. Names of states depend on the zoom. */
  readonly rested: () => void
  readonly dispose: () => void
}

/** Loads the table of names when it is first needed. */
const fetchNames = async () => (await import('../countries/country-table.ts')).stateNames

/** The labels on the globe. They move with it every frame, so they are plain DOM elements outside React. */
export function createGlobeLabels(layer: HTMLElement, globe: Globe): GlobeLabels {
  const byKind = new Map<Kind, Shown>()
  let territories: readonly Shown[] = []
  let isOver = false

  const add = (label: GlobeLabel, look: Kind | 'territory'): Shown => {
    const element = layer.ownerDocument.createElement('span')
    element.className = classNames(
      'absolute top-0 left-0 max-w-56 truncate rounded-mark text-xs whitespace-nowrap',
      kindClasses[look],
    )
    element.dataset['label'] = look
    element.textContent = label.text
    layer.append(element)
    const { offsetWidth: widthPx, offsetHeight: heightPx } = element
    return { element, label, isTerritory: look === 'territory', widthPx, heightPx }
  }

  const move = () => {
    const taken: Box[] = []
    // Earlier territories have priority over later ones.
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
    const names = await fetchNames()
    if (areTerritoriesWanted() && territories.length === 0) showTerritories(names)
  }

  return {
    move,
    show(kind, label) {
      byKind.get(kind)?.element.remove()
      byKind.delete(kind)
      if (label !== undefined) byKind.set(kind, add(label, kind))
      move()
    },
    rested() {
      if (areTerritoriesWanted()) {
        // Names are decoration. If the table does not load, this tries again at the next rest.
        loadTerritories().catch(() => undefined)
      } else if (territories.length > 0) showTerritories([])
    },
    dispose() {
      isOver = true
    },
  }
}

/**
 * Where a label may go, best first. The name of a territory goes over its middle or one line off. Other
 * labels go above their mark, or below it at the upper edge.
 */
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
