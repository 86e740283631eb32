/** A wheel's notch moves by 40 to 150 px in one event, a touchpad by few in many. */
const notchPx = 40
/** So far do two fingers move on a touchpad for one step. */
const touchpadStepPx = 16
const pxPerLine = 20
const pxPerPage = 400

interface WheelMove {
  readonly deltaY: number
  /** Of WheelEvent: 0 pixels, 1 lines, 2 pages. */
  readonly deltaMode: number
}

/**
 * Turns the moves of a wheel or a touchpad into whole steps of zoom: above 0 into the picture. Each
 * notch of a wheel is one step, however far it moves.
 */
export function createWheelSteps(): (move: WheelMove) => number {
  let restPx = 0
  return ({ deltaY, deltaMode }) => {
    const px = deltaY * (deltaMode === 0 ? 1 : deltaMode === 1 ? pxPerLine : pxPerPage)
    if (Math.abs(px) >= notchPx) {
      restPx = 0
      return -Math.sign(px)
    }
    // A new direction begins anew.
    restPx = restPx * px < 0 ? px : restPx + px
    const steps = Math.trunc(restPx / touchpadStepPx)
    restPx -= steps * touchpadStepPx
    return steps === 0 ? 0 : -steps
  }
}
