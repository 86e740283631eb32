import {
  boulder,
  type Building,
  crystal,
  dish,
  dome,
  greenhouse,
  house,
  hovering,
  lamp,
  mast,
  pine,
  pond,
  roundTree,
  screen,
  tent,
  tower,
} from './buildings.ts'
import { lightColour, Paint } from './colours.ts'
import { drawRock } from './rock.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import type { Point, Shape } from './solids.ts'

export type PicturedKind = 'social' | 'media' | 'lab'

/** The coordinate system of the paths. */
export const pictureWidth = 200
export const pictureHeight = 180

interface Settlement {
  /** The largest building, in the centre. */
  readonly main: readonly [Building, ...Building[]]
  readonly beside: readonly [Building, ...Building[]]
}

const settlements: Readonly<Record<PicturedKind, Settlement>> = {
  social: { main: [house, tent, tower], beside: [house, house, tent, lamp] },
  media: { main: [dome, screen, dish], beside: [dish, mast, dome, screen, lamp] },
  lab: { main: [crystal, greenhouse, hovering], beside: [crystal, crystal, hovering, mast] },
}
const growing = [pine, pine, roundTree, roundTree, boulder, lamp] as const

interface Spot {
  readonly at: Point
  readonly size: number
}

/** The picture of an island. The 32-bit seed determines its look, and the kind determines its buildings. */
export function drawIsland(seed: number, kind: PicturedKind): readonly Shape[] {
  const random = seededRandom(seed)
  const paint = new Paint(random)
  const rock = drawRock(random, paint)
  const water: Spot | undefined = random.chance(0.35)
    ? {
        at: [random.between(-26, 26), 0.1, rock.radius * 0.48],
        size: random.between(9, 13),
      }
    : undefined
  const spots = chooseSpots(random, rock.radius, water)
  const buildings = chooseBuildings(random, kind)
  const built = spots.map(({ at, size }, index) => ({
    z: at[2],
    shapes: buildings(index)(at, size, random, paint),
  }))
  return joined([
    ...rock.shapes,
    ...(water === undefined ? [] : pond(water.at, water.size, random, paint)),
    ...built.toSorted((a, b) => a.z - b.z).flatMap(({ shapes }) => shapes),
    ...(kind === 'lab' ? drawSparks(random) : []),
  ])
}

/** Chooses what to draw at each spot: the main building, two beside it, and plants at the rest. */
function chooseBuildings(random: Random, kind: PicturedKind): (spot: number) => Building {
  const { main, beside } = settlements[kind]
  const plants = random.pick(growing)
  return (spot) => {
    if (spot === 0) return random.pick(main)
    if (spot <= 2) return random.pick(beside)
    return random.chance(0.7) ? plants : random.pick(growing)
  }
}

/** Chooses spots that don't overlap each other or the water. The first one is the largest. */
function chooseSpots(random: Random, radius: number, water: Spot | undefined): Spot[] {
  const spots: Spot[] = [
    { at: [random.between(-22, 14), 0, random.between(-12, 0)], size: random.between(24, 29) },
  ]
  const count = random.whole(5, 8)
  for (let tries = 0; tries < 60 && spots.length < count; tries++) {
    const size = spots.length < 3 ? random.between(14, 19) : random.between(8, 12)
    const angle = random.between(0, 2 * Math.PI)
    const reach = radius * Math.sqrt(random.between(0.05, 0.62))
    const at: Point = [Math.cos(angle) * reach, 0, Math.sin(angle) * reach * 0.75 - 3]
    const taken = water === undefined ? spots : [...spots, water]
    const isFree = taken.every(
      (other) =>
        Math.hypot(at[0] - other.at[0], (at[2] - other.at[2]) * 0.7) > (size + other.size) * 0.78,
    )
    if (isFree) spots.push({ at, size })
  }
  return spots
}

function drawSparks(random: Random): Shape[] {
  return Array.from({ length: random.whole(2, 4) }, () => ({
    d: `M${Math.round(random.between(40, 160))} ${Math.round(random.between(28, 62))}h0`,
    stroke: lightColour,
    strokeWidth: 2.6,
  }))
}

/** Merges consecutive shapes that look alike into one path, because a page may show dozens of islands. */
function joined(shapes: readonly Shape[]): Shape[] {
  const result: Shape[] = []
  for (const shape of shapes) {
    const last = result.at(-1)
    const isAlike =
      last !== undefined &&
      last.fill === shape.fill &&
      last.stroke === shape.stroke &&
      last.strokeWidth === shape.strokeWidth
    if (isAlike) result[result.length - 1] = { ...last, d: last.d + shape.d }
    else result.push(shape)
  }
  return result
}
