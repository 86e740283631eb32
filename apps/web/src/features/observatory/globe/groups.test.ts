import { expect, test } from 'vitest'
import { nodeStyle } from '../drawing/node-style.ts'
import { statusCodes } from '../nodes/node-columns.ts'
import { nodesAt, reefSky } from '../nodes/testing/nodes-at.ts'
import {
  createStrokes,
  type GlobeScene,
  glyphs,
  numbersPerStroke,
  strokeKinds,
} from './globe-scene.ts'
import { createProjection, placePlanet } from './projection.ts'
import { createGroups } from './groups.ts'

const { online, offline } = statusCodes

/** The earth view at zoom 1, looking at 0, 0, on a canvas of 400 by 400. */
function scene(skyShare = 0): GlobeScene {
  const projection = createProjection()
  placePlanet(projection, { skyShare, zoom: 1, yawDeg: 0, pitchDeg: 0 }, 400, 400)
  return {
    widthPx: 400,
    heightPx: 400,
    pixelRatio: 1,
    projection,
    skyShare,
    landShare: 1,
    region: undefined,
    nodeStyle: nodeStyle({ count: 4, zoom: 1, skyShare, isGrouped: true }),
    strokes: createStrokes(),
  }
}

/** The drawn counts, and the online shares of their rings. */
function drawn({ strokes }: GlobeScene) {
  let text = ''
  const shares: number[] = []
  for (let at = 0; at < strokes.count * numbersPerStroke; at += numbersPerStroke) {
    const kind = strokes.numbers[at + 6]
    const detail = strokes.numbers[at + 11] ?? 0
    if (kind === strokeKinds.glyph) text += glyphs[detail]
    if (kind === strokeKinds.share) shares.push(Number(detail.toFixed(2)))
  }
  return { text, shares }
}

const four = () =>
  nodesAt([
    { latDeg: 0, lonDeg: 0, status: online },
    { latDeg: 0, lonDeg: 0, status: offline },
    { latDeg: 0, lonDeg: 0, status: offline },
    { latDeg: 0, lonDeg: 0, status: statusCodes.other },
  ])

test('a mark shows the count, and its ring the current share online', () => {
  const columns = four()
  const groups = createGroups(columns, 182)
  const before = scene()
  groups.stroke(before)
  expect(drawn(before)).toEqual({ text: '4', shares: [0.25] })

  columns.status.set([offline, online, online, online])
  groups.follow(columns, Uint32Array.of(0, 1, 2, 3))
  // Reported twice, counted once.
  groups.follow(columns, Uint32Array.of(1))
  const after = scene()
  groups.stroke(after)
  expect(drawn(after)).toEqual({ text: '4', shares: [0.75] })
})

test('nodes of neighbours are not counted with others; alone they have a plus and a ring of their own', () => {
  const here = { latDeg: 0, lonDeg: 0, status: offline }
  const theirs = { latDeg: 0, lonDeg: 0, status: online, neighbour: reefSky }
  const columns = nodesAt([here, here, theirs, theirs, theirs])
  const mixed = createGroups(columns, 182)
  const before = scene()
  mixed.stroke(before)
  expect(drawn(before)).toEqual({ text: '2', shares: [0] })
  columns.status.set([online, offline, offline, offline, offline])
  mixed.follow(columns, Uint32Array.of(0, 2, 3, 4))
  const after = scene()
  mixed.stroke(after)
  expect(drawn(after)).toEqual({ text: '2', shares: [0.5] })
  const alone = scene()
  createGroups(nodesAt([theirs, theirs]), 182).stroke(alone)
  expect(drawn(alone)).toEqual({ text: '+2', shares: [1] })
})

test('groups behind the globe or in sky view have no mark', () => {
  const groups = createGroups(four(), 182)
  const sky = scene(1)
  groups.stroke(sky)
  expect(drawn(sky).text).toBe('')
  const behind = scene()
  placePlanet(behind.projection, { skyShare: 0, zoom: 1, yawDeg: 180, pitchDeg: 0 }, 400, 400)
  groups.stroke(behind)
  expect(drawn(behind).text).toBe('')
  expect(groups.pick(behind.projection, { xPx: 200, yPx: 200 }, 2)).toBeUndefined()
})

test('a mark can be hit up to its edge, and stands for all its nodes', () => {
  const groups = createGroups(four(), 182)
  const { projection } = scene()
  expect(groups.pick(projection, { xPx: 209, yPx: 200 }, 2)).toMatchObject({
    indexes: [0, 1, 2, 3],
    latDeg: 0,
    lonDeg: 0,
    spanDeg: 0,
  })
  expect(groups.pick(projection, { xPx: 220, yPx: 200 }, 2)).toBeUndefined()
})
