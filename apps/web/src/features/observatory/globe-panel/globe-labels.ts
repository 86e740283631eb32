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
  place: 'text-ink/85',
}

/** Above the mark that it belongs to. */
const liftPx = 12

interface Shown {
  readonly element: HTMLElement
  readonly label: GlobeLabel
  readonly isPlace: boolean
  readonly widthPx: number
  readonly heightPx: number
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
    const taken: { xPx: number; yPx: number; widthPx: number; heightPx: number }[] = []
    const shown = [...kinds.flatMap((kind) => byKind.get(kind) ?? []), ...places]
    for (const { element, label, isPlace, widthPx, heightPx } of shown) {
      const point = globe.project(label)
      const at = point && corner(point, isPlace, widthPx, heightPx, layer)
      const isFree =
        at !== undefined &&
        taken.every(
          (other) =>
            Math.abs(at.xPx + widthPx / 2 - other.xPx - other.widthPx / 2) >=
              (widthPx + other.widthPx) / 2 ||
            Math.abs(at.yPx + heightPx / 2 - other.yPx - other.heightPx / 2) >=
              (heightPx + other.heightPx) / 2,
        )
      element.style.visibility = isFree ? 'visible' : 'hidden'
      if (!isFree) continue
      element.style.transform = `translate(${at.xPx.toFixed(1)}px, ${at.yPx.toFixed(1)}px)`
      taken.push({ ...at, widthPx, heightPx })
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

/** A place's name is written over its middle, any other label above its mark; within the layer. */
function corner(
  { xPx, yPx }: ScreenPoint,
  isPlace: boolean,
  widthPx: number,
  heightPx: number,
  layer: HTMLElement,
): ScreenPoint {
  const top = isPlace ? yPx - heightPx / 2 : yPx - heightPx - liftPx
  if (isPlace) return { xPx: xPx - widthPx / 2, yPx: top }
  const left = Math.min(layer.clientWidth - widthPx - 4, Math.max(4, xPx - widthPx / 2))
  return { xPx: left, yPx: top < 4 ? yPx + liftPx : top }
}
