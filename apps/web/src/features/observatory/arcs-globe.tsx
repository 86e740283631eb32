import type { CheckArcs } from '@astropelago/contract/check-locations'
import type { PublicDevice } from '@astropelago/contract/devices'
import { useLayoutEffect, useRef } from 'react'
import { type Place, placeOf, radPerDeg, unitVector } from './geometry/unit-vector.ts'
import { createGlobe } from './globe/globe.ts'
import { zoomForSpan } from './globe/globe-camera.ts'
import { packColumns, statusCodes } from './nodes/node-columns.ts'
import { createNodeStore } from './nodes/node-store.ts'

/** A still globe, turned to where the arcs are. What it shows is said beside it. */
export function ArcsGlobe({ arcs }: { arcs: CheckArcs }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place.current === null) return undefined
    const canvas = document.createElement('canvas')
    canvas.className = 'absolute inset-0 size-full'
    place.current.append(canvas)
    const stop = drawArcs(canvas, arcs)
    return () => {
      stop?.()
      canvas.remove()
    }
  }, [arcs])
  return (
    <div
      ref={place}
      aria-hidden
      className="relative h-72 w-full overflow-hidden rounded-control border border-line bg-ground"
    />
  )
}

function drawArcs(canvas: HTMLCanvasElement, { target, locations }: CheckArcs) {
  const devices = target === null ? locations : [target, ...locations]
  const store = createNodeStore()
  store.replace(packColumns(devices.map(nodeOf)))
  const globe = createGlobe(canvas, store)
  if (globe === undefined) return undefined
  const places = devices.map(toPlace)
  globe.setCamera({ view: 'earth', ...viewOf(places) }, 'at-once')
  const [first] = places
  if (target !== null && first !== undefined) {
    globe.setArcs(places.slice(1).map((from) => ({ from, to: first })))
    globe.setMarks({ region: undefined, selectedIndex: 0, focusedIndex: undefined, you: undefined })
  }
  return globe.dispose
}

const toPlace = ({ lat: latDeg, lon: lonDeg }: PublicDevice): Place => ({ latDeg, lonDeg })

function nodeOf({ id, label, lat, lon, status }: PublicDevice) {
  const code = status === 'unknown' ? statusCodes.other : statusCodes[status]
  return { id, label, latDeg: lat, lonDeg: lon, status: code, link: '' }
}

/** The share of the view that is left empty around the places. */
const marginShare = 0.4

/** The middle of the places, and how close the camera can be with all of them in view. */
function viewOf(places: readonly Place[]) {
  const vectors = places.map(unitVector)
  const sum = (axis: 0 | 1 | 2) => vectors.reduce((total, vector) => total + vector[axis], 0)
  const length = Math.hypot(sum(0), sum(1), sum(2)) || 1
  const [x, y, z] = [sum(0) / length, sum(1) / length, sum(2) / length]
  const { latDeg, lonDeg } = placeOf([x, y, z])
  const nearest = Math.min(...vectors.map((one) => one[0] * x + one[1] * y + one[2] * z))
  const spanDeg = (2 * Math.acos(Math.min(1, Math.max(-1, nearest)))) / radPerDeg
  return { yawDeg: lonDeg, pitchDeg: latDeg, zoom: zoomForSpan(spanDeg * (1 + marginShare)) }
}
