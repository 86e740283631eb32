import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { toLandRings } from './land.ts'

const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json')
const rings = toLandRings(JSON.parse(readFileSync(file, 'utf8')))

test('the world is land in rings of at least a triangle', () => {
  expect(rings.length).toBeGreaterThan(100)
  for (const ring of rings) expect(ring.length).toBeGreaterThanOrEqual(6)
})

test('no ring jumps across the world: it continues beyond longitude 180', () => {
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const isAlongThePole = ring[i + 1] === -90
      const jumpDeg = Math.abs((ring[i] ?? 0) - (ring[i - 2] ?? 0))
      expect(isAlongThePole ? 0 : jumpDeg).toBeLessThanOrEqual(180)
    }
  }
})

test('Antarctica’s ring goes around the world and is closed along the south pole', () => {
  const around = rings.filter((ring) => {
    const lonsDeg = ring.filter((_, i) => i % 2 === 0)
    return Math.max(...lonsDeg) - Math.min(...lonsDeg) >= 359
  })
  expect(around).toHaveLength(1)
  expect([...(around[0] ?? [])].slice(-5).filter((part) => part === -90)).toHaveLength(2)
})

test.each([{}, null, { type: 'Topology', objects: {} }, 'land'])('%o is not land data', (data) => {
  expect(() => toLandRings(data)).toThrow(/^Invalid (type|key)/)
})
