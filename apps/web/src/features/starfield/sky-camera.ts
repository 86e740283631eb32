/** Time in which the camera covers two thirds of the way to where it is wanted. */
const easeMs = 320

/** Where the sky is looked at from: follows the page's scrolling and the pointer, a little late. */
export interface SkyCamera {
  scrollPx: number
  /** The pointer's place, from -1 (left, top) over 0 (middle) to 1. */
  pointerX: number
  pointerY: number
}

/** Moves the camera towards `wanted` by as much as fits the time that has passed. */
export function moveCamera(camera: SkyCamera, wanted: Readonly<SkyCamera>, elapsedMs: number) {
  const part = 1 - Math.exp(-elapsedMs / easeMs)
  camera.scrollPx += (wanted.scrollPx - camera.scrollPx) * part
  camera.pointerX += (wanted.pointerX - camera.pointerX) * part
  camera.pointerY += (wanted.pointerY - camera.pointerY) * part
}
