import { expect, test } from 'vitest'
import { islandFacts } from '../testing/island-facts.ts'
import type { IslandFacts } from './public-islands-store.ts'
import { RelayedIslands } from './relayed-islands.ts'

function relayedIsland(key: number, details: Partial<IslandFacts> = {}) {
  return islandFacts({
    key,
    id: `island-${key}`,
    slug: `harbor-${key}`,
    isRelayed: true,
    carrier: { key: 5, id: 'device', isPublic: false, flip: null },
    ...details,
  })
}

const setUp = () => {
  const opening = { isOpen: true, isWatched: true, sinceMs: null, pause: null }
  const cached = {
    id: '',
    hostKey: 3,
    carrierKey: 5,
    hasAddress: true,
    isRelayed: true,
    relayOpening: null,
    opening,
  }
  return new RelayedIslands({ find: () => cached })
}

test('an island says whether an operator trusts its host', () => {
  const relayed = setUp()
  relayed.set(relayedIsland(1))
  expect(relayed.find(1)?.isHostTrusted).toBe(false)
  relayed.set(relayedIsland(1, { isHostTrusted: true }))
  expect(relayed.findBySlug('harbor-1')?.isHostTrusted).toBe(true)
})

test('a stopped island says so, whatever its access policy', () => {
  const relayed = setUp()
  relayed.set(relayedIsland(1, { isRelayStopped: true, access: 'invited' }))
  expect(relayed.find(1)).toMatchObject({ isStopped: true, mayAnybodyKnow: false })
  relayed.set(relayedIsland(1))
  expect(relayed.find(1)).toMatchObject({ isStopped: false, mayAnybodyKnow: true })
})
