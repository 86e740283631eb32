import { t } from '@lingui/core/macro'
import { language } from '../../../language/language.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'
import { placeText, type Region, regionBounds } from '../globe/region.ts'

const actionsByKey = {
  ArrowLeft: 'turn-west',
  ArrowRight: 'turn-east',
  ArrowUp: 'turn-north',
  ArrowDown: 'turn-south',
  '+': 'zoom-in',
  // The same key without Shift on many keyboards.
  '=': 'zoom-in',
  '-': 'zoom-out',
  _: 'zoom-out',
  Home: 'reset',
  n: 'next-node',
  p: 'previous-node',
  Enter: 'open',
  Escape: 'leave',
} as const

export type GlobeAction = (typeof actionsByKey)[keyof typeof actionsByKey]

const actionByKey = new Map<string, GlobeAction>(Object.entries(actionsByKey))

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Undefined for the browser's own shortcuts, such as Ctrl and +. */
export function actionOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): GlobeAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  return actionByKey.get(key.length === 1 ? key.toLowerCase() : key)
}

/** Listens for keys on the globe, and for Escape anywhere in its panel, unless `act` returns false. */
export function listenToKeys(
  surface: HTMLElement,
  panel: HTMLElement,
  act: (action: GlobeAction) => boolean,
): () => void {
  const take = (event: KeyboardEvent, isMeant: boolean) => {
    const action = actionOfKey(event)
    if (action === undefined || !isMeant || event.defaultPrevented) return
    if (act(action)) event.preventDefault()
  }
  const onKey = (event: KeyboardEvent) => take(event, event.key !== 'Escape')
  // A visitor who has just read the hint may not have focused anything yet.
  const onPageKey = (event: KeyboardEvent) => {
    const { target } = event
    const isHere = target === document.body || (target instanceof Node && panel.contains(target))
    take(event, event.key === 'Escape' && isHere && isOnScreen(surface))
  }
  const ended = new AbortController()
  const { signal } = ended
  surface.addEventListener('keydown', onKey, { signal })
  document.addEventListener('keydown', onPageKey, { signal })
  return () => ended.abort()
}

function isOnScreen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

export function spokenRegion(region: Region): string {
  const bounds = regionBounds(region)
  return t`Region ${bounds} selected.`
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

export function spokenCamera(camera: GlobeCamera): string {
  const place = placeText({ latDeg: camera.pitchDeg, lonDeg: camera.yawDeg })
  const zoom = camera.zoom.toLocaleString(language, oneDecimal)
  return t`${place}, zoom ${zoom}.`
}
