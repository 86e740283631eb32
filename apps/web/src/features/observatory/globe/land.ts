import { feature } from 'topojson-client'
import * as v from 'valibot'
// Natural Earth at 1:110 million (public domain), 55 kB.
import landUrl from 'world-atlas/land-110m.json?url'
import { unrolledRing } from '../geometry/longitudes.ts'

/** Distance between two dots of land, and between two rows of them. */
export const latticeDeg = 1.5

/** Closed outlines of land and of lakes in it, each as longitude, latitude, longitude, ... in degrees. */
export type LandRings = readonly Float32Array[]

const topology = v.object({
  type: v.literal('Topology'),
  arcs: v.array(v.array(v.array(v.number()))),
  transform: v.object({
    scale: v.tuple([v.number(), v.number()]),
    translate: v.tuple([v.number(), v.number()]),
  }),
  objects: v.object({
    land: v.object({
      type: v.literal('GeometryCollection'),
      geometries: v.array(
        v.object({
          type: v.literal('MultiPolygon'),
          arcs: v.array(v.array(v.array(v.number()))),
        }),
      ),
    }),
  }),
})

let loading: Promise<LandRings> | undefined

/** Fetched once for all globes. After a failure the next call tries again. */
async function loadLandRings(): Promise<LandRings> {
  loading ??= fetchLandRings()
  try {
    return await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

async function fetchLandRings(): Promise<LandRings> {
  const answer = await fetch(landUrl)
  if (!answer.ok) throw new Error(`The land could not be loaded: ${answer.status}`)
  return toLandRings(await answer.json())
}

/** @throws Error if the data is not land data from world-atlas */
export function toLandRings(data: unknown): LandRings {
  const world = v.parse(topology, data)
  return feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat().map((ring) => Float32Array.from(unrolledRing(ring).flat()))
      : [],
  )
}

const riseMs = 300

/** Loads the land. If that fails, it tries again when the browser comes back online. */
export function followLand(mayMove: () => boolean, onArrived: (rings: LandRings) => void) {
  let rings: LandRings | undefined
  let share = 0
  let startMs: number | undefined
  let isOver = false

  const load = async () => {
    const loaded = await loadLandRings()
    if (isOver || rings !== undefined) return
    rings = loaded
    if (!mayMove()) share = 1
    onArrived(loaded)
  }
  const tryToLoad = () => {
    load().catch(() => {
      // The browser has logged the failed request. Nodes and grid work without land.
      if (!isOver) window.addEventListener('online', tryToLoad, { once: true })
    })
  }
  tryToLoad()

  return {
    get rings() {
      return rings
    },
    get share() {
      return share
    },
    advance(nowMs: number) {
      if (rings === undefined || share === 1) return false
      startMs ??= nowMs
      share = Math.min(1, (nowMs - startMs) / riseMs)
      return share < 1
    },
    dispose() {
      isOver = true
      window.removeEventListener('online', tryToLoad)
    },
  }
}

/**
 * Land in white on black: longitude to the right from -180, latitude down from 90. At a width of 2,048 it
 * takes at most 8 ms of the main thread, once. Starting a worker costs more.
 */
export function drawLandMask(rings: LandRings, widthPx: number): OffscreenCanvas {
  const image = new OffscreenCanvas(widthPx, widthPx / 2)
  const context = image.getContext('2d', { alpha: false })
  if (context === null) throw new Error('This browser draws no 2D pictures')
  const scale = widthPx / 360
  context.fillStyle = '#fff'
  context.setTransform(scale, 0, 0, -scale, widthPx / 2, widthPx / 4)
  context.beginPath()
  for (const ring of rings) {
    // The part beyond the antimeridian is drawn again on the other side.
    for (const shiftDeg of [-360, 0, 360]) {
      for (let i = 0; i < ring.length; i += 2) {
        const lonDeg = (ring[i] ?? 0) + shiftDeg
        const latDeg = ring[i + 1] ?? 0
        if (i === 0) context.moveTo(lonDeg, latDeg)
        else context.lineTo(lonDeg, latDeg)
      }
      context.closePath()
    }
  }
  context.fill('evenodd')
  return image
}
