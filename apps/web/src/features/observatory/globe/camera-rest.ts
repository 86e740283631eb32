import type { GlobeCamera } from './globe-camera.ts'

/** A camera that is moved by hand rests when nothing has moved it for this long. */
const restAfterMs = 100
const decimals = 4

export interface CameraRest {
  /** Tells that the camera moved at once, and may do so again in a moment. */
  moved(): void
  /** Tells that the camera has come to where it was sent. */
  arrived(): void
  dispose(): void
}

/**
 * Writes the camera onto the canvas when it comes to rest, so that tests and assistive scripts can
 * project, and not for every frame of a drag.
 */
export function createCameraRest(
  canvas: HTMLCanvasElement,
  camera: () => GlobeCamera,
  onRest: () => void,
): CameraRest {
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
