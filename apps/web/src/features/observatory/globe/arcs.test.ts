import { expect, test } from 'vitest'
import { nodeStyle } from '../drawing/node-style.ts'
import { createArcStrokes, type GlobeArc } from './arcs.ts'
import { createStrokes, type GlobeScene, numbersPerStroke } from './globe-scene.ts'
import { createProjection, placePlanet } from './projection.ts'

function stroked(arcs: readonly GlobeArc[], yawDeg = 0): number[][] {
  const strokes = createStrokes()
  const projection = createProjection()
  placePlanet(projection, { skyShare: 0, zoom: 1, yawDeg, pitchDeg: 0 }, 200, 200)
  const scene: GlobeScene = {
    widthPx: 200,
    heightPx: 200,
    pixelRatio: 1,
    projection,
    skyShare: 0,
    landShare: 0,
    region: undefined,
    nodeStyle: nodeStyle({ count: 0, zoom: 1, skyShare: 0, isGrouped: false }),
    strokes,
  }
  const drawn = createArcStrokes()
  drawn.set(arcs)
  drawn.stroke(scene)
  return Array.from({ length: strokes.count }, (_, at) =>
    Array.from(strokes.numbers.subarray(at * numbersPerStroke, (at + 1) * numbersPerStroke)),
  )
}

const across = { from: { latDeg: 0, lonDeg: -60 }, to: { latDeg: 0, lonDeg: 60 } }

test('an arc goes in pieces that meet from its beginning to its end, and brightens on the way', () => {
  const lines = stroked([across])
  expect(lines.length).toBe(32)
  const radius = 200 * 0.455
  const edge = Math.sin(Math.PI / 3) * radius
  expect(lines[0]?.slice(0, 2)).toEqual([expect.closeTo(100 - edge, 3), expect.closeTo(100, 3)])
  expect(lines[31]?.slice(2, 4)).toEqual([expect.closeTo(100 + edge, 3), expect.closeTo(100, 3)])
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    expect(line.slice(0, 2)).toEqual(lines[at - 1]?.slice(2, 4))
    expect(line[7]).toBeGreaterThan(lines[at - 1]?.[7] ?? 1)
  }
})

test('two arcs are not joined, and one behind the planet is not drawn where the planet covers it', () => {
  expect(stroked([across, across]).length).toBe(64)
  const behind = stroked([across], 180)
  expect(behind.length).toBe(0)
  // Its middle stands out beyond the rim.
  const besides = stroked([across], 90).length
  expect(besides).toBeGreaterThan(8)
  expect(besides).toBeLessThan(32)
})

test('opposite places, and the same place, have an arc without gaps in its numbers', () => {
  const pole = { latDeg: 90, lonDeg: 0 }
  const other = { latDeg: -90, lonDeg: 0 }
  for (const to of [other, pole]) {
    expect(
      stroked([{ from: pole, to }])
        .flat()
        .every(Number.isFinite),
    ).toBe(true)
  }
})
