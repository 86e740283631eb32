import { clampedCamera, type GlobeCamera, normalYaw } from './globe-camera.ts'

/** The camera as it is drawn, between two views and two places while it moves. */
export interface ShownCamera {
  /** 0 in earth view, 1 in sky view. */
  skyShare: number
  zoom: number
  yawDeg: number
  pitchDeg: number
}

export interface CameraMotion {
  /** Where the camera is or moves to. */
  readonly target: GlobeCamera
  /** One object, changed in place. */
  readonly shown: Readonly<ShownCamera>
  readonly isMoving: boolean
  /** False where nothing changes. */
  set(camera: GlobeCamera, motion: 'animated' | 'at-once'): boolean
  /** Moves to where the camera is at this time. */
  advance(nowMs: number): void
  /** Ends the motion where it is; a change of view is completed. */
  halt(): void
  /** Completes the motion. */
  finish(): void
}

const betweenViewsMs = 600
const withinViewMs = 320

/** Moves the camera over a time that begins with the first frame after it was set. */
export function createCameraMotion(first: GlobeCamera): CameraMotion {
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
    set(camera, motion) {
      const next = clampedCamera(camera)
      if (isSameCamera(next, target) && (motion === 'animated' || !isMoving)) return false
      isBetweenViews = shown.skyShare !== (next.view === 'sky' ? 1 : 0)
      target = next
      if (motion === 'at-once') {
        finish()
        return true
      }
      Object.assign(from, shown)
      isMoving = true
      startMs = undefined
      return true
    },
    advance(nowMs) {
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
      // The short way around.
      shown.yawDeg = normalYaw(from.yawDeg + normalYaw(target.yawDeg - from.yawDeg) * way)
      shown.pitchDeg = from.pitchDeg + (target.pitchDeg - from.pitchDeg) * way
    },
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
