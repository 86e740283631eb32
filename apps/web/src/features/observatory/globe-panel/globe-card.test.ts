import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Place } from '../geometry/unit-vector.ts'
import { createNodeStore } from '../nodes/node-store.ts'
import { nodesAt } from '../nodes/testing/nodes-at.ts'
import { createGlobeCard } from './globe-card.ts'
import { createPanelState } from './panel-state.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function project({ latDeg, lonDeg }: Place) {
  return lonDeg < 0 ? undefined : { xPx: lonDeg, yPx: latDeg }
}

/** Nodes in a row, drawn at their degrees. Western ones are behind the globe. */
function cardOver(count: number) {
  const store = createNodeStore()
  store.replace(
    nodesAt(Array.from({ length: count }, (_, i) => ({ latDeg: 0, lonDeg: i - 1, status: 2 }))),
  )
  const state = createPanelState('earth')
  return { card: createGlobeCard({ project }, store, state), shown: () => state.read().card }
}

test('a mouse that crosses a hundred nodes opens only the card where it stays', () => {
  const { card, shown } = cardOver(100)
  for (let index = 1; index < 100; index++) {
    card.pointAt(index)
    vi.advanceTimersByTime(100)
    expect(shown()).toBeUndefined()
  }
  card.pointAt(99)
  vi.advanceTimersByTime(100)
  expect(shown()).toEqual({ id: 'node-99', xPx: 98, yPx: 0, isOpened: false })
  card.pointAt(undefined)
  expect(shown()).toBeUndefined()
  vi.advanceTimersByTime(1000)
  expect(shown()).toBeUndefined()
})

test('an opened card stays when the pointer leaves; a node behind the globe has no card', () => {
  const { card, shown } = cardOver(3)
  card.open(1)
  card.pointAt(undefined)
  expect(shown()).toMatchObject({ id: 'node-1', isOpened: true })
  card.open(0)
  expect(shown()).toBeUndefined()
})
