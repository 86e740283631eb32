import { expect, test } from 'vitest'
import { Assignments, locationsPerCheck, type Candidate } from './assignments.ts'

const candidate = (deviceKey: number, more: Partial<Candidate> = {}): Candidate => ({
  deviceKey,
  userKey: deviceKey,
  id: `location ${deviceKey}`,
  perHour: 120,
  ...more,
})
const candidates = (count: number) => Array.from({ length: count }, (_, at) => candidate(at + 1))
const check = (key: number, perHour = 60) => ({ key, id: `check ${key}`, perHour })
const keysOf = (chosen: readonly Candidate[]) =>
  chosen.map(({ deviceKey }) => deviceKey).toSorted((a, b) => a - b)

test('a check has a few locations of distinct users, and keeps them while they are there', () => {
  const assignments = new Assignments()
  const first = assignments.choose(check(1), candidates(20))
  expect(first).toHaveLength(locationsPerCheck)
  expect(keysOf(assignments.choose(check(1), candidates(40)))).toEqual(keysOf(first))
  const [gone] = first
  const left = candidates(40).filter(({ deviceKey }) => deviceKey !== gone?.deviceKey)
  const second = assignments.choose(check(1), left)
  expect(second).toHaveLength(locationsPerCheck)
  expect(new Set(keysOf(second)).intersection(new Set(keysOf(first))).size).toBe(4)
  const oneUser = [1, 2, 3].map((key) => candidate(key, { userKey: 1 }))
  expect(assignments.choose(check(2), oneUser)).toHaveLength(1)
})

test('[L7] no location looks more often than it lends', () => {
  const assignments = new Assignments()
  const few = [candidate(1), candidate(2, { perHour: 59 })]
  expect(keysOf(assignments.choose(check(1), few))).toEqual([1])
  expect(keysOf(assignments.choose(check(2), few))).toEqual([1])
  expect(keysOf(assignments.choose(check(3), few))).toEqual([])
  expect(keysOf(assignments.choose(check(3, 30), few))).toEqual([2])
  assignments.drop(1)
  expect(keysOf(assignments.choose(check(4), few))).toEqual([1])
  // A check that is looked at less often leaves room.
  assignments.choose(check(2, 1), few)
  expect(keysOf(assignments.choose(check(5, 59), few))).toEqual([1])
})

test('checks are spread over locations', () => {
  const assignments = new Assignments()
  const looks = Array.from({ length: 40 }, (_, at) => assignments.choose(check(at), candidates(20)))
  const used = new Set(looks.flat().map(({ deviceKey }) => deviceKey))
  expect(used.size).toBe(20)
})
