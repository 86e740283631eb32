/** In CSS pixels from an element's top left corner. */
export interface ScreenPoint {
  readonly xPx: number
  readonly yPx: number
}

/** A press that moves less than this is a click. */
const clickPx = 4

export interface PointerTarget {
  readonly press: (point: ScreenPoint, isTouch: boolean) => void
  readonly click: (point: ScreenPoint) => void
  readonly dragStart: (point: ScreenPoint) => void
  readonly dragTo: (point: ScreenPoint, timeMs: number) => void
  /** Without a time if the browser cancelled the pointer. */
  readonly dragEnd: (timeMs: number | undefined) => void
  readonly pinchStart: () => void
  /** `scale` is relative to the pinch's start, the movement to the last call. */
  readonly pinchTo: (scale: number, movedXPx: number, movedYPx: number) => void
  /** The mouse position, at most once a frame; undefined after it has left. */
  readonly hover: (point: ScreenPoint | undefined) => void
  /** Zooms by whole steps of the wheel or touchpad. Positive steps zoom in. */
  readonly zoomBy: (steps: number) => void
}

/** The element has touch-action: pan-y, so a vertical drag with one finger scrolls the page. */
export function listenToPointers(element: HTMLElement, target: PointerTarget): () => void {
  const fingers = new Map<number, ScreenPoint>()
  let gesture: 'none' | 'press' | 'undecided' | 'drag' | 'pinch' = 'none'
  let pressedAt: ScreenPoint = { xPx: 0, yPx: 0 }
  let pinched = { distancePx: 1, xPx: 0, yPx: 0 }
  const hover = oncePerFrame(target.hover)
  const wheelSteps = createWheelSteps()
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
    // After a touch's click, browsers repeat the press as a mouse press. It would take the focus from
    // what the click opened.
    if (event.pointerType === 'touch') event.preventDefault()
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
      if (event.pointerType === 'mouse' && event.buttons === 0) hover.ask(point)
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
    // A finger that first moves up or down is about to scroll the page.
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
    // The remaining finger continues as a drag.
    gesture = 'drag'
    target.dragStart(left)
  }

  const onLeave = () => hover.ask(undefined)

  // The plain wheel scrolls the page, as on other maps embedded in a page.
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    target.zoomBy(wheelSteps(event))
  }

  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onEnd, { signal })
  element.addEventListener('pointercancel', onEnd, { signal })
  element.addEventListener('lostpointercapture', onEnd, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('touchmove', keepTwoFingers, { passive: false, signal })
  element.addEventListener('wheel', onWheel, { passive: false, signal })
  return () => {
    hover.stop()
    ended.abort()
  }
}

/** Keeps the browser from scrolling or zooming the page with two fingers. */
function keepTwoFingers(event: TouchEvent): void {
  if (event.touches.length > 1 && event.cancelable) event.preventDefault()
}

const notchPx = 40
/** The distance that two fingers move on a touchpad for one zoom step. */
const touchpadStepPx = 16
const pxPerLine = 20
const pxPerPage = 400

interface WheelMove {
  readonly deltaY: number
  /** As in WheelEvent: 0 is pixels, 1 lines, 2 pages. */
  readonly deltaMode: number
}

/** Positive steps zoom in. Each notch of a wheel is one step, however far it moves. */
export function createWheelSteps(): (move: WheelMove) => number {
  let restPx = 0
  return ({ deltaY, deltaMode }) => {
    const px = deltaY * (deltaMode === 0 ? 1 : deltaMode === 1 ? pxPerLine : pxPerPage)
    if (Math.abs(px) >= notchPx) {
      restPx = 0
      return -Math.sign(px)
    }
    // A change of direction discards the remainder.
    restPx = restPx * px < 0 ? px : restPx + px
    const steps = Math.trunc(restPx / touchpadStepPx)
    restPx -= steps * touchpadStepPx
    return steps === 0 ? 0 : -steps
  }
}

/** Skips arguments that no frame would show. */
function oncePerFrame<T>(action: (argument: T) => void): {
  readonly ask: (argument: T) => void
  readonly stop: () => void
} {
  let frame: number | undefined
  let latest: { readonly argument: T } | undefined
  const run = () => {
    frame = undefined
    if (latest !== undefined) action(latest.argument)
  }
  return {
    ask(argument) {
      latest = { argument }
      frame ??= requestAnimationFrame(run)
    },
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
