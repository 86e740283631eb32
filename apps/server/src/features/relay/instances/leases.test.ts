import { expect, test } from 'vitest'
import { createCachedLeases } from './leases.ts'

const island = { key: 1, carrierKey: 1 }
const other = { key: 2, carrierKey: 1 }

const leaseOf = (islandKey: number | null) => ({
  writer: 1,
  deviceKey: 1,
  agentId: `agent of ${islandKey}`,
  islandKey,
  sinceMs: 0,
})

function setUp() {
  let nowMs = 0
  const leases = createCachedLeases(
    () => nowMs,
    () => undefined,
  )
  const goAt = (ms: number, islandKey: number | null) => {
    nowMs = ms
    leases.change({ ...leaseOf(islandKey), isHeld: false })
  }
  const gone = () => [leases.goneSince(island), leases.goneSince(other)]
  return { leases, goAt, gone }
}

test('of two agents of a device that carry an island each, one that goes closes only its own', () => {
  const { leases, goAt, gone } = setUp()
  for (const key of [1, 2]) leases.change({ ...leaseOf(key), isHeld: true })
  goAt(1000, 1)
  expect(gone()).toEqual([1000, undefined])
  goAt(2000, 2)
  expect(gone()).toEqual([1000, 2000])
  leases.change({ ...leaseOf(1), isHeld: true })
  expect(gone()).toEqual([undefined, 2000])
})

test('an agent that connects while leases are read is kept, though the answer lacks it', async () => {
  const { leases } = setUp()
  await leases.replace(async () => {
    leases.change({ ...leaseOf(1), isHeld: true })
    return []
  })
  expect(leases.of(island)).toEqual([leaseOf(1)])
})

test('a lost agent that carried all islands of its device closes those that no other agent carries', async () => {
  const { leases, goAt, gone } = setUp()
  await leases.replace(async () => [leaseOf(null), leaseOf(1)])
  goAt(1000, null)
  expect(gone()).toEqual([undefined, 1000])
  goAt(2000, 1)
  expect(gone()).toEqual([2000, 1000])
  goAt(2000 + 3_600_000 - 1, 1)
  leases.deleteOld()
  expect(gone()).toEqual([2000, undefined])
})
