import { isMotionWelcome } from '../../../lib/motion.ts'
import { withinHalfTurn } from '../geometry/longitudes.ts'
import { type Place, radPerDeg } from '../geometry/unit-vector.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'
import type { Globe } from '../globe/globe.ts'
import type { ScreenPoint } from '../globe/projection.ts'

/** Near the rim a pixel is worth many degrees, so the globe turns as if dragged outside its disc. */
const holdReach = 0.95

export type GlobeDrag = ReturnType<typeof createGlobeDrag>

export function createGlobeDrag(globe: Globe, surface: HTMLElement) {
  const meter = createSpinMeter()
  let held: Place | undefined
  let last: ScreenPoint = { xPx: 0, yPx: 0 }
  let frame: number | undefined

  const onDisc = ({ xPx, yPx }: ScreenPoint): DiscPoint => ({
    right: (xPx - surface.clientWidth / 2) / globe.radiusPx,
    up: (surface.clientHeight / 2 - yPx) / globe.radiusPx,
  })

  const by = (rightPx: number, downPx: number) => {
    const { camera, radiusPx } = globe
    const yawDeg = camera.yawDeg - rightPx / radiusPx / radPerDeg
    const pitchDeg = camera.pitchDeg + downPx / radiusPx / radPerDeg
    globe.setCamera({ ...camera, yawDeg, pitchDeg }, 'at-once')
  }
  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
  }

  return {
    by,
    stop,
    start(point: ScreenPoint) {
      stop()
      meter.start()
      held = canHold(onDisc(point)) ? globe.unproject(point) : undefined
      last = point
    },
    to(point: ScreenPoint, timeMs: number) {
      const disc = onDisc(point)
      if (held !== undefined && canHold(disc)) {
        globe.setCamera(cameraHolding(globe.camera, held, disc), 'at-once')
      } else {
        by(point.xPx - last.xPx, point.yPx - last.yPx)
        held = undefined
      }
      last = point
      meter.add(globe.camera, timeMs)
    },
    end(timeMs: number | undefined) {
      const speed = timeMs === undefined || !isMotionWelcome() ? undefined : meter.speed(timeMs)
      if (speed === undefined) return
      const from = globe.camera
      let startMs: number | undefined
      const turn = (nowMs: number) => {
        startMs ??= nowMs
        const spun = spunSince(speed, nowMs - startMs)
        const yawDeg = from.yawDeg + spun.yawDeg
        globe.setCamera({ ...from, yawDeg, pitchDeg: from.pitchDeg + spun.pitchDeg }, 'at-once')
        frame = spun.isMoving ? requestAnimationFrame(turn) : undefined
      }
      frame = requestAnimationFrame(turn)
    },
  }
}

function canHold({ right, up }: DiscPoint): boolean {
  return Math.hypot(right, up) < holdReach
}

export interface DiscPoint {
  readonly right: number
  readonly up: number
}

/**
 * The camera that puts a place under a point of the disc, or as near to it as possible without rolling,
 * with the smallest turn. Its pitch may be beyond a pole. With d the place's longitude from the middle:
 * right = cos(lat) sin(d) gives d, then up = sin(lat) cos(pitch) - cos(lat) cos(d) sin(pitch) gives the
 * pitch.
 */
export function cameraHolding(camera: GlobeCamera, place: Place, point: DiscPoint): GlobeCamera {
  const lat = place.latDeg * radPerDeg
  const cosLat = Math.cos(lat)
  const sinLat = Math.sin(lat)
  // A place near a pole can't be far from the axis.
  const east = Math.asin(clampToOne(point.right / Math.max(cosLat, 1e-9)))
  const candidates = [east, Math.PI - east].flatMap((lonRad) => {
    const front = cosLat * Math.cos(lonRad)
    const reach = Math.hypot(sinLat, front)
    const lean = Math.atan2(front, sinLat)
    const rise = Math.acos(clampToOne(point.up / Math.max(reach, 1e-9)))
    return [rise - lean, -rise - lean].map((pitchRad) => ({
      yawDeg: place.lonDeg - lonRad / radPerDeg,
      pitchDeg: withinHalfTurn(pitchRad / radPerDeg),
      isInFront: sinLat * Math.sin(pitchRad) + front * Math.cos(pitchRad) >= -1e-9,
    }))
  })
  const turn = (candidate: { readonly yawDeg: number; readonly pitchDeg: number }) =>
    Math.abs(withinHalfTurn(candidate.yawDeg - camera.yawDeg)) +
    Math.abs(candidate.pitchDeg - camera.pitchDeg)
  // The globe stops at a pole. Leaving out a camera beyond it would flip the view.
  const [nearest] = candidates
    .filter(({ isInFront }) => isInFront)
    .toSorted((one, other) => turn(one) - turn(other))
  if (nearest === undefined) return camera
  return { ...camera, yawDeg: nearest.yawDeg, pitchDeg: nearest.pitchDeg }
}

function clampToOne(value: number): number {
  return Math.min(1, Math.max(-1, value))
}

const slowingMs = 300
const leastDegPerMs = 0.004
/** Half a turn a second. Faster motion is hard to follow. */
const greatestDegPerMs = 0.18
/** A pointer that rested this long before the release does not throw the globe. */
const restMs = 100
/** Older samples do not reflect the speed at release. Slow frames keep at least the last one. */
const rememberedMs = 100

interface Turn {
  readonly yawDeg: number
  readonly pitchDeg: number
}

export function createSpinMeter() {
  let samples: (Turn & { readonly timeMs: number })[] = []
  return {
    start() {
      samples = []
    },
    add({ yawDeg, pitchDeg }: Turn, timeMs: number) {
      const last = samples.at(-1)
      samples = samples.filter(
        (sample) => sample === last || timeMs - sample.timeMs <= rememberedMs,
      )
      samples.push({ yawDeg, pitchDeg, timeMs })
    },
    speed(timeMs: number) {
      const first = samples[0]
      const last = samples.at(-1)
      if (!first || !last || timeMs - last.timeMs > restMs) return undefined
      const elapsedMs = last.timeMs - first.timeMs
      if (elapsedMs <= 0) return undefined
      const yaw = withinHalfTurn(last.yawDeg - first.yawDeg) / elapsedMs
      const pitch = (last.pitchDeg - first.pitchDeg) / elapsedMs
      const speed = Math.hypot(yaw, pitch)
      if (speed < leastDegPerMs) return undefined
      const share = Math.min(1, greatestDegPerMs / speed)
      return { yawDeg: yaw * share, pitchDeg: pitch * share }
    },
  }
}

/** How far a thrown globe has turned after a time, and whether it still moves. */
export function spunSince(speed: Turn, elapsedMs: number): Turn & { readonly isMoving: boolean } {
  const left = Math.exp(-elapsedMs / slowingMs)
  const reachMs = slowingMs * (1 - left)
  return {
    yawDeg: speed.yawDeg * reachMs,
    pitchDeg: speed.pitchDeg * reachMs,
    isMoving: Math.hypot(speed.yawDeg, speed.pitchDeg) * left > leastDegPerMs,
  }
}
