import { type RefObject, useEffect, useEffectEvent } from 'react'
import { keyAction, type MapAction } from './map-action.ts'

/** A pointer that went further than this has dragged. */
const clickPx = 4

interface SurfaceHandlers {
  readonly onAction: (action: MapAction) => void
  readonly onEscape: () => void
  /** A press that was no drag and hit no marker. */
  readonly onPressBeside: () => void
}

/** Keys and presses on the map, those that come up from its markers among them. */
export function useSurfaceEvents(
  surface: RefObject<HTMLElement | null>,
  handlers: SurfaceHandlers,
): void {
  const hearKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') handlers.onEscape()
    const action = keyAction(event.key)
    // On a marker arrows lead to the next one.
    const isMarkers = isOnMarker(event.target) && event.key.startsWith('Arrow')
    if (action === undefined || isMarkers) return
    event.preventDefault()
    handlers.onAction(action)
  })
  const hearPress = useEffectEvent((isDrag: boolean, target: EventTarget | null) => {
    if (!isDrag && !isOnMarker(target)) handlers.onPressBeside()
  })

  useEffect(() => {
    const element = surface.current
    if (element === null) return undefined
    const ended = new AbortController()
    const { signal } = ended
    let pressedAt = { xPx: 0, yPx: 0 }
    element.addEventListener('keydown', (event) => hearKey(event), { signal })
    element.addEventListener(
      'pointerdown',
      ({ clientX, clientY }) => {
        pressedAt = { xPx: clientX, yPx: clientY }
      },
      { signal },
    )
    element.addEventListener(
      'click',
      ({ clientX, clientY, target }) => {
        const wayPx = Math.hypot(clientX - pressedAt.xPx, clientY - pressedAt.yPx)
        hearPress(wayPx > clickPx, target)
      },
      { signal },
    )
    return () => ended.abort()
  }, [surface])
}

function isOnMarker(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-marker]') !== null
}
