import type { Globe, GeoPoint, ScreenPoint } from '../globe/globe.ts'
import { classNames } from '../../../ui/class-names.ts'

export interface GlobeLabel extends GeoPoint {
  readonly text: string
}

/** Who has a label; the first ones keep theirs where two would touch. */
const kinds = ['pointed', 'selected', 'you'] as const
type Kind = (typeof kinds)[number]

const kindClasses: Record<Kind | 'place', string> = {
  pointed: 'border border-line-strong bg-raised text-ink shadow-raised px-2 py-0.5',
  selected: 'border border-edge bg-panel text-ink px-2 py-0.5',
  you: 'bg-accent-soft text-accent font-medium px-1.5',
  place:
    'font-medium text-ink [text-shadow:0_0_3px_var(--color-ground),0_0_6px_var(--color-ground)]',
}

/** Above the mark that it belongs to. */
const liftPx = 12
const marginPx = 4

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

type Box = Size & ScreenPoint

interface Shown extends Size {
  readonly element: HTMLElement
  readonly label: GlobeLabel
  readonly isPlace: boolean
}

export interface GlobeLabels {
  readonly show: (kind: Kind, label: GlobeLabel | undefined) => void
  /** Names of states and countries; the earlier ones go before the later. */
  readonly showPlaces: (places: readonly GlobeLabel[]) => void
  /** Puts every label where its place is now. */
  readonly move: () => void
}

/**
 * The few texts on the globe. They follow it frame by frame, so they are elements of our own hand
 * and no business of React's.
 */
export function createGlobeLabels(layer: HTMLElement, globe: Globe): GlobeLabels {
  const byKind = new Map<Kind, Shown>()
  let places: readonly Shown[] = []

  const add = (label: GlobeLabel, look: Kind | 'place'): Shown => {
    const element = layer.ownerDocument.createElement('span')
    element.className = classNames(
      'absolute top-0 left-0 max-w-56 truncate rounded-mark text-xs whitespace-nowrap',
      kindClasses[look],
    )
    element.dataset['label'] = look
    element.textContent = label.text
    layer.append(element)
    const { offsetWidth: widthPx, offsetHeight: heightPx } = element
    return { element, label, isPlace: look === 'place', widthPx, heightPx }
  }

  const move = () => {
    const taken: Box[] = []
    const shown = [...kinds.flatMap((kind) => byKind.get(kind) ?? []), ...places]
    for (const { element, label, isPlace, widthPx, heightPx } of shown) {
      const point = globe.project(label)
      const size = { widthPx, heightPx }
      const boxes = point === undefined ? [] : wishes(point, isPlace, size, layer)
      const free = boxes.find((box) => !taken.some((other) => overlap(box, other)))
      element.style.visibility = free === undefined ? 'hidden' : 'visible'
      if (free === undefined) continue
      element.style.transform = `translate(${free.xPx.toFixed(1)}px, ${free.yPx.toFixed(1)}px)`
      taken.push(free)
    }
  }

  return {
    move,
    show(kind, label) {
      byKind.get(kind)?.element.remove()
      byKind.delete(kind)
      if (label !== undefined) byKind.set(kind, add(label, kind))
      move()
    },
    showPlaces(labels) {
      for (const { element } of places) element.remove()
      places = labels.map((label) => add(label, 'place'))
      move()
    },
  }
}

/**
 * Where a label may stand, the best first: a place's name over its middle or a line off, any other
 * label above its mark or, at the upper edge, below.
 */
function wishes(
  { xPx, yPx }: ScreenPoint,
  isPlace: boolean,
  size: Size,
  layer: HTMLElement,
): readonly Box[] {
  const { widthPx, heightPx } = size
  const left = xPx - widthPx / 2
  if (isPlace) {
    const middle = yPx - heightPx / 2
    return [middle, middle + heightPx, middle - heightPx].map((yTopPx) => ({
      xPx: left,
      yPx: yTopPx,
      widthPx,
      heightPx,
    }))
  }
  const above = yPx - heightPx - liftPx
  const farthestLeft = layer.clientWidth - widthPx - marginPx
  return [
    {
      ...size,
      xPx: Math.min(farthestLeft, Math.max(marginPx, left)),
      yPx: above < marginPx ? yPx + liftPx : above,
    },
  ]
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.xPx < other.xPx + other.widthPx &&
    other.xPx < one.xPx + one.widthPx &&
    one.yPx < other.yPx + other.heightPx &&
    other.yPx < one.yPx + one.heightPx
  )
}
