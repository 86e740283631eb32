import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toVector } from '../globe/geo-point.ts'
import { createProjection, lookDownOn, project, unproject } from '../globe/projection.ts'
import { cameraHolding } from './held-place.ts'

const radiusPx = 200
const middle = { xPx: 460, yPx: 230 }

function looking(pitchDeg: number, yawDeg: number) {
  const projection = createProjection()
  Object.assign(projection, { centreXPx: middle.xPx, centreYPx: middle.yPx, radiusPx })
  lookDownOn(projection.axes, pitchDeg, yawDeg)
  return projection
}

const pitch = fc.double({ min: -60, max: 60, noNaN: true })
const yaw = fc.double({ min: -180, max: 180, noNaN: true })
/** Within the disc, and in radii of it. */
const discPoint = fc.record({
  right: fc.double({ min: -0.6, max: 0.6, noNaN: true }),
  up: fc.double({ min: -0.6, max: 0.6, noNaN: true }),
})

test('the place that was taken hold of lies under the finger, wherever it is drawn to', () => {
  fc.assert(
    fc.property(pitch, yaw, discPoint, discPoint, (pitchDeg, yawDeg, from, to) => {
      const place = unproject(looking(pitchDeg, yawDeg), {
        xPx: middle.xPx + from.right * radiusPx,
        yPx: middle.yPx - from.up * radiusPx,
      })
      if (place === undefined) return
      const camera = cameraHolding({ view: 'earth', zoom: 1, yawDeg, pitchDeg }, place, to)
      // Nearer to a pole than the finger is to the axis no turn brings it there.
      if (Math.abs(to.right) > Math.cos((place.latDeg * Math.PI) / 180)) return
      // Past a pole the camera may not go.
      if (Math.abs(camera.pitchDeg) > 89) return
      const point = project(looking(camera.pitchDeg, camera.yawDeg), place)
      const reach = Math.hypot(to.up, to.right)
      const isReachable = Math.hypot(...toVector(place).slice(1)) >= Math.abs(to.up) && reach < 1
      if (!isReachable || point === undefined) return
      expect(point.xPx).toBeCloseTo(middle.xPx + to.right * radiusPx, 1)
    }),
  )
})

test('holding a place where it already is turns nothing', () => {
  fc.assert(
    fc.property(pitch, yaw, discPoint, (pitchDeg, yawDeg, at) => {
      const place = unproject(looking(pitchDeg, yawDeg), {
        xPx: middle.xPx + at.right * radiusPx,
        yPx: middle.yPx - at.up * radiusPx,
      })
      if (place === undefined) return
      const camera = cameraHolding({ view: 'earth', zoom: 1, yawDeg, pitchDeg }, place, at)
      expect(camera.pitchDeg).toBeCloseTo(pitchDeg, 3)
      expect(Math.cos(((camera.yawDeg - yawDeg) * Math.PI) / 180)).toBeCloseTo(1, 6)
    }),
  )
})
