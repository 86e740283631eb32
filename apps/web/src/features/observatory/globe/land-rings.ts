import { feature } from 'topojson-client'
import * as v from 'valibot'
// Natural Earth at 1:110 million (public domain), 55 kB.
import landUrl from 'world-atlas/land-110m.json?url'

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

/** Fetched once for all globes; after a failure the next call tries again. */
export async function loadLandRings(): Promise<LandRings> {
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

/** @throws where the data is no land of world-atlas */
export function toLandRings(data: unknown): LandRings {
  const world = v.parse(topology, data)
  return feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(unwrapped) : [],
  )
}

/**
 * A ring as a line without jumps: where it crosses longitude 180 it goes on beyond it. Antarctica's
 * goes once around, so that it is led along the pole to close.
 */
function unwrapped(ring: readonly (readonly number[])[]): Float32Array {
  const line: number[] = []
  let turnsDeg = 0
  let lastDeg: number | undefined
  for (const [lonDeg = 0, latDeg = 0] of ring) {
    if (lastDeg !== undefined && Math.abs(lonDeg - lastDeg) > 180) {
      turnsDeg += lonDeg < lastDeg ? 360 : -360
    }
    lastDeg = lonDeg
    line.push(lonDeg + turnsDeg, latDeg)
  }
  if (turnsDeg !== 0) line.push(line.at(-2) ?? 0, -90, line[0] ?? 0, -90)
  return Float32Array.from(line)
}
