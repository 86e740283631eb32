import type { ShownCamera } from './camera-motion.ts'
import { lookDownOn, type Projection } from './projection.ts'

/** Of the canvas's shorter side: in earth view the planet fills it at zoom 1. */
const earthShare = 0.455
const skyShareOfSide = 0.26

/** Puts the planet into the middle of a canvas of this size, as the camera sees it. */
export function placePlanet(
  projection: Projection,
  { skyShare, zoom, yawDeg, pitchDeg }: ShownCamera,
  widthPx: number,
  heightPx: number,
): void {
  const side = Math.min(widthPx, heightPx)
  const earth = side * earthShare * zoom
  // In the sky zoom brings the planet only a little nearer: it stays whole, among its orbits.
  const sky = side * skyShareOfSide * zoom ** 0.35
  projection.centreXPx = widthPx / 2
  projection.centreYPx = heightPx / 2
  // Growing by equal factors in equal times looks even; growing by equal pixels does not.
  projection.radiusPx = earth ** (1 - skyShare) * sky ** skyShare
  lookDownOn(projection.axes, pitchDeg, yawDeg)
}
