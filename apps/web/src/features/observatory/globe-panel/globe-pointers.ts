import type { ScreenPoint } from '../globe/projection.ts'

/** A press that moves less is a click. */
const clickPx = 4

/** What pointers do to the globe, in CSS pixels from its top left corner. */
export interface PointerTarget {
  readonly press: (point: ScreenPoint, isTouch: boolean) => void
  readonly click: (point: ScreenPoint) => void
  /** Begins where the press was. */
  readonly dragStart: (point: ScreenPoint) => void
  readonly dragTo: (point: ScreenPoint, timeMs: number) => void
  /** Without a time where the browser took the pointer away. */
  readonly dragEnd: (timeMs: number | undefined) => void
  readonly pinchStart: () => void
  /** How far apart the fingers are, of what they were; and how far both moved since the last call. */
  readonly pinchTo: (scale: number, movedXPx: number, movedYPx: number) => void
  /** Where a mouse is; undefined when it has left. */
  readonly hover: (point: ScreenPoint | undefined) => void
}

/**
 * Makes presses, clicks, drags and pinches of the pointers on an element. One finger that moves up
 * or down scrolls the page (the element has touch-action: pan-y), which the browser tells by
 * cancelling the pointer; two fingers never scroll.
 */
export function listenToPointers(element: HTMLElement, target: PointerTarget): () => void {
  const fingers = new Map<number, ScreenPoint>()
  let gesture: 'none' | 'press' | 'undecided' | 'drag' | 'pinch' = 'none'
  let pressedAt: ScreenPoint = { xPx: 0, yPx: 0 }
  let pinched = { distancePx: 1, xPx: 0, yPx: 0 }
  const ended = new AbortController()
  const { signal } = ended

  const pointOf = (event: MouseEvent): ScreenPoint => {
    const box = element.getBoundingClientRect()
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top }
  }
  const spread = () => {
    const [one, other] = [...fingers.values()]
    if (one === undefined || other === undefined) return pinched
    return {
      distancePx: Math.max(1, Math.hypot(other.xPx - one.xPx, other.yPx - one.yPx)),
      xPx: (one.xPx + other.xPx) / 2,
      yPx: (one.yPx + other.yPx) / 2,
    }
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || fingers.size > 1) return
    element.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, pointOf(event))
    if (fingers.size === 2) {
      if (gesture === 'drag') target.dragEnd(undefined)
      gesture = 'pinch'
      pinched = spread()
      target.pinchStart()
      return
    }
    gesture = 'press'
    pressedAt = pointOf(event)
    target.press(pressedAt, event.pointerType === 'touch')
  }

  const onMove = (event: PointerEvent) => {
    const point = pointOf(event)
    if (!fingers.has(event.pointerId)) {
      if (event.pointerType === 'mouse' && event.buttons === 0) target.hover(point)
      return
    }
    fingers.set(event.pointerId, point)
    if (gesture === 'pinch') {
      const now = spread()
      target.pinchTo(
        now.distancePx / pinched.distancePx,
        now.xPx - pinched.xPx,
        now.yPx - pinched.yPx,
      )
      pinched = { ...now, distancePx: pinched.distancePx }
      return
    }
    const rightPx = point.xPx - pressedAt.xPx
    const downPx = point.yPx - pressedAt.yPx
    if (gesture === 'press' && Math.hypot(rightPx, downPx) >= clickPx) gesture = 'undecided'
    // A finger that goes up or down first is about to scroll the page.
    const isSideways = event.pointerType !== 'touch' || Math.abs(rightPx) >= Math.abs(downPx)
    if (gesture === 'undecided' && isSideways) {
      gesture = 'drag'
      target.dragStart(pressedAt)
    }
    if (gesture === 'drag') target.dragTo(point, event.timeStamp)
  }

  const onEnd = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return
    const isTaken = event.type !== 'pointerup'
    if (gesture === 'press' && !isTaken) target.click(pressedAt)
    if (gesture === 'drag') target.dragEnd(isTaken ? undefined : event.timeStamp)
    gesture = 'none'
    const [left] = fingers.values()
    if (left === undefined) return
    // The finger that stays goes on turning the globe.
    gesture = 'drag'
    target.dragStart(left)
  }

  const onLeave = () => target.hover(undefined)

  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onEnd, { signal })
  element.addEventListener('pointercancel', onEnd, { signal })
  element.addEventListener('lostpointercapture', onEnd, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('touchmove', keepTwoFingers, { passive: false, signal })
  return () => ended.abort()
}

/** Two fingers are ours: the page neither scrolls nor zooms by them. */
function keepTwoFingers(event: TouchEvent): void {
  if (event.touches.length > 1 && event.cancelable) event.preventDefault()
}
