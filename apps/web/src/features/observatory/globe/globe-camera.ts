import { withinHalfTurn } from '../geometry/longitudes.ts'

/** Yaw and pitch are the longitude and latitude at the middle of the view. */
export interface GlobeCamera {
  readonly view: 'sky' | 'earth'
  readonly zoom: number
  readonly yawDeg: number
  readonly pitchDeg: number
}

const leastZoom = 0.6
export const greatestZoom = 1.8
const stepsPerZoom = 10
/** Just short of the poles, because at 90 degrees north has no direction. */
const greatestPitchDeg = 89

/** The initial view: land on both sides of the Atlantic, tilted slightly to the north. */
export const firstCamera: GlobeCamera = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 24 }

/** The camera within its ranges: pitch short of the poles, zoom 0.6 to 1.8, yaw in [-180, 180). */
export function clampedCamera({ view, zoom, yawDeg, pitchDeg }: GlobeCamera): GlobeCamera {
  return {
    view,
    zoom: clamp(zoom, leastZoom, greatestZoom),
    yawDeg: withinHalfTurn(yawDeg),
    pitchDeg: clamp(pitchDeg, -greatestPitchDeg, greatestPitchDeg),
  }
}

/** The next whole step of 0.1. A pinch may have left the zoom between two steps. */
export function steppedZoom(zoom: number, direction: 'in' | 'out'): number {
  // Floats: 0.7 * 10 is 7.000000000000001.
  const steps = Number((zoom * stepsPerZoom).toFixed(6))
  const next = direction === 'in' ? Math.floor(steps) + 1 : Math.ceil(steps) - 1
  return clamp(next / stepsPerZoom, leastZoom, greatestZoom)
}

/** The zoom, in whole steps, at which this many degrees fit into the canvas's height. */
export function zoomForSpan(spanDeg: number): number {
  const halfRad = (clamp(spanDeg, 1, 180) * Math.PI) / 360
  const steps = Math.floor(stepsPerZoom / Math.sin(halfRad))
  return clamp(steps / stepsPerZoom, leastZoom, greatestZoom)
}

function clamp(value: number, least: number, greatest: number): number {
  return Math.min(greatest, Math.max(least, value))
}

/** The camera as drawn. During a motion it is between two views and two places. */
export interface ShownCamera {
  skyShare: number
  zoom: number
  yawDeg: number
  pitchDeg: number
}

const betweenViewsMs = 600
const withinViewMs = 320

/** Animates the camera. The animation's time begins with the first frame after `set`. */
export function createCameraMotion(first: GlobeCamera) {
  let target = clampedCamera(first)
  const shown: ShownCamera = shownAt(target)
  const from: ShownCamera = { ...shown }
  let isMoving = false
  let isBetweenViews = false
  let startMs: number | undefined

  const finish = () => {
    Object.assign(shown, shownAt(target))
    isMoving = false
  }

  return {
    get target() {
      return target
    },
    shown,
    get isMoving() {
      return isMoving
    },
    set(camera: GlobeCamera, motion: 'animated' | 'at-once') {
      const next = clampedCamera(camera)
      if (isSameCamera(next, target) && (motion === 'animated' || !isMoving)) return false
      isBetweenViews = shown.skyShare !== (next.view === 'sky' ? 1 : 0)
      target = next
      if (motion === 'at-once') finish()
      else {
        Object.assign(from, shown)
        isMoving = true
        startMs = undefined
      }
      return true
    },
    advance(nowMs: number) {
      if (!isMoving) return
      startMs ??= nowMs
      const share = (nowMs - startMs) / (isBetweenViews ? betweenViewsMs : withinViewMs)
      if (share >= 1) {
        finish()
        return
      }
      const way = isBetweenViews ? easedBothEnds(share) : easedEnd(share)
      const skyShare = target.view === 'sky' ? 1 : 0
      shown.skyShare = from.skyShare + (skyShare - from.skyShare) * way
      shown.zoom = from.zoom + (target.zoom - from.zoom) * way
      shown.yawDeg = withinHalfTurn(from.yawDeg + withinHalfTurn(target.yawDeg - from.yawDeg) * way)
      shown.pitchDeg = from.pitchDeg + (target.pitchDeg - from.pitchDeg) * way
    },
    /** Stops the motion where it is. A change of view is completed. */
    halt() {
      if (!isMoving) return
      const { zoom, yawDeg, pitchDeg } = shown
      target = clampedCamera({ view: target.view, zoom, yawDeg, pitchDeg })
      finish()
    },
    finish,
  }
}

function shownAt({ view, zoom, yawDeg, pitchDeg }: GlobeCamera): ShownCamera {
  return { skyShare: view === 'sky' ? 1 : 0, zoom, yawDeg, pitchDeg }
}

function isSameCamera(one: GlobeCamera, other: GlobeCamera): boolean {
  return (
    one.view === other.view &&
    one.zoom === other.zoom &&
    one.yawDeg === other.yawDeg &&
    one.pitchDeg === other.pitchDeg
  )
}

function easedEnd(share: number): number {
  return 1 - (1 - share) ** 3
}

function easedBothEnds(share: number): number {
  return share < 0.5 ? 4 * share ** 3 : 1 - 4 * (1 - share) ** 3
}

/** A camera that is moved by hand is at rest once it has not moved for this long. */
const restAfterMs = 100
const decimals = 4

/** Writes the camera at rest onto the canvas. Tests and assistive scripts project places with it. */
export function createCameraRest(
  canvas: HTMLCanvasElement,
  camera: () => GlobeCamera,
  onRest: () => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined

  const arrived = () => {
    clearTimeout(timer)
    timer = undefined
    const { view, zoom, yawDeg, pitchDeg } = camera()
    canvas.dataset['view'] = view
    canvas.dataset['zoom'] = rounded(zoom)
    canvas.dataset['yaw'] = rounded(yawDeg)
    canvas.dataset['pitch'] = rounded(pitchDeg)
    onRest()
  }

  return {
    moved() {
      clearTimeout(timer)
      timer = setTimeout(arrived, restAfterMs)
    },
    arrived,
    dispose() {
      clearTimeout(timer)
    },
  }
}

function rounded(value: number): string {
  return String(Number(value.toFixed(decimals)))
}
