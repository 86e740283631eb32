/** Time constant of the easing: after this time the camera has covered about two thirds of the way. */
const easeMs = 320

/** The sky's point of view. It follows scrolling and the pointer with a short delay. */
export interface SkyCamera {
  scrollPx: number
  /** The pointer's place: -1 is left or top, 0 the middle, 1 right or bottom. */
  pointerX: number
  pointerY: number
}

/** Moves the camera towards `wanted`, as far as the elapsed time allows. */
export function moveCamera(camera: SkyCamera, wanted: Readonly<SkyCamera>, elapsedMs: number) {
  const part = 1 - Math.exp(-elapsedMs / easeMs)
  camera.scrollPx += (wanted.scrollPx - camera.scrollPx) * part
  camera.pointerX += (wanted.pointerX - camera.pointerX) * part
  camera.pointerY += (wanted.pointerY - camera.pointerY) * part
}
