import { type GeoPoint, radPerDeg } from '../globe/geo-point.ts'
import type { Globe } from '../globe/globe.ts'
import type { ScreenPoint } from '../globe/projection.ts'
import { cameraHolding, type DiscPoint } from './held-place.ts'
import { createSpinMeter, spunSince } from './spin.ts'

/** Nearer to the rim a pixel is worth many degrees: there the globe turns as beside it. */
const holdReach = 0.95

interface DragParts {
  readonly globe: Globe
  readonly surface: HTMLElement
  /** Whether nothing may go on moving by itself. */
  readonly isStill: () => boolean
}

export interface GlobeDrag {
  readonly start: (point: ScreenPoint) => void
  readonly to: (point: ScreenPoint, timeMs: number) => void
  /** The globe turns on for a moment when it was let go while it moved. */
  readonly end: (timeMs: number | undefined) => void
  /** Turns by a way on the canvas, wherever the pointer is. */
  readonly by: (rightPx: number, downPx: number) => void
  readonly stop: () => void
}

export function createGlobeDrag({ globe, surface, isStill }: DragParts): GlobeDrag {
  const meter = createSpinMeter()
  let held: GeoPoint | undefined
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
    start(point) {
      stop()
      meter.start()
      held = canHold(onDisc(point)) ? globe.unproject(point) : undefined
      last = point
    },
    to(point, timeMs) {
      const disc = onDisc(point)
      if (held !== undefined && canHold(disc)) {
        globe.setCamera(cameraHolding(globe.camera, held, disc), 'at-once')
      } else {
        by(point.xPx - last.xPx, point.yPx - last.yPx)
        held = undefined
      }
      last = point
      meter.note(globe.camera, timeMs)
    },
    end(timeMs) {
      const speed = timeMs === undefined || isStill() ? undefined : meter.speed(timeMs)
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
