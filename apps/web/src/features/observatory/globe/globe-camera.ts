/** Yaw and pitch are the longitude and latitude that the visitor looks down on. */
export interface GlobeCamera {
  readonly view: 'sky' | 'earth'
  readonly zoom: number
  readonly yawDeg: number
  readonly pitchDeg: number
}

const leastZoom = 0.6
const greatestZoom = 1.8
/** Of zoom's steps of 0.1. */
const stepsPerZoom = 10
/** Just short of the poles: at 90 north would be no direction. */
const greatestPitchDeg = 89

/** Where the globe starts: land on both sides of the Atlantic, the north a little towards us. */
export const firstCamera: GlobeCamera = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 24 }

/** The camera within its ranges: pitch short of the poles, zoom 0.6 to 1.8, yaw in [-180, 180). */
export function clampedCamera({ view, zoom, yawDeg, pitchDeg }: GlobeCamera): GlobeCamera {
  return {
    view,
    zoom: clamp(zoom, leastZoom, greatestZoom),
    yawDeg: normalYaw(yawDeg),
    pitchDeg: clamp(pitchDeg, -greatestPitchDeg, greatestPitchDeg),
  }
}

/** The next whole step of 0.1 from a zoom, which a pinch may have left between two. */
export function steppedZoom(zoom: number, direction: 'in' | 'out'): number {
  // Floats: 0.7 * 10 is 7.000000000000001.
  const steps = Number((zoom * stepsPerZoom).toFixed(6))
  const next = direction === 'in' ? Math.floor(steps) + 1 : Math.ceil(steps) - 1
  return clamp(next / stepsPerZoom, leastZoom, greatestZoom)
}

/** The zoom, in whole steps, at which so many degrees fit into the picture's height. */
export function zoomForSpan(spanDeg: number): number {
  const halfRad = (clamp(spanDeg, 1, 180) * Math.PI) / 360
  const steps = Math.floor(stepsPerZoom / Math.sin(halfRad))
  return clamp(steps / stepsPerZoom, leastZoom, greatestZoom)
}

/** The same longitude in [-180, 180). */
export function normalYaw(yawDeg: number): number {
  const turned = (((yawDeg + 180) % 360) + 360) % 360
  return turned - 180
}

function clamp(value: number, least: number, greatest: number): number {
  return Math.min(greatest, Math.max(least, value))
}
