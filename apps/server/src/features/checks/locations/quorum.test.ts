import { expect, test } from 'vitest'
import { CheckVotes } from './check-votes.ts'
import { applyResult, decide, doubtMaxMs, votesOf, type LocationState } from './quorum.ts'

const periodMs = 60_000
const ownerKey = 99
const up = (locationKey: number) => ({ locationKey, isUp: true })
const down = (locationKey: number) => ({ locationKey, isUp: false })

test.each([
  ['fewer than three voters: the server decides', 'down', [up(1)], 'down', [0]],
  ['a split of two: the server decides', 'up', [down(1)], 'up', [1]],
  ['more than half of three say down', 'down', [down(1), up(2)], 'down', [0, 1]],
  ['all but the server say down', 'up', [down(1), down(2)], 'down', [1, 2]],
  ['only the server says down', 'down', [up(1), up(2)], 'up', [0]],
  ['one of five says down', 'up', [down(1), up(2), up(3), up(4)], 'up', [1]],
  ['half of four: the server decides', 'down', [down(1), up(2), up(3)], 'down', [0, 1]],
  ['half of four: the server decides', 'up', [down(1), down(2), up(3)], 'up', [1, 2]],
  ['all agree', 'down', [down(1), down(2)], 'down', []],
] as const)('%s', (_, server, votes, status, unreachableFrom) => {
  expect(decide(server, votes)).toMatchObject({ status, unreachableFrom })
})

test('while the server can’t see, nothing is decided', () => {
  const votes = [down(1), down(2), down(3)]
  expect(decide('unobserved', votes)).toMatchObject({ status: 'unobserved', votes: [] })
})

function stateOf(locationKey: number, userKey: number, looks: readonly boolean[]): LocationState {
  let state: LocationState | undefined
  for (const [index, isUp] of looks.entries()) {
    state = applyResult(state, { locationKey, userKey, isUp, atMs: index })
  }
  if (state === undefined) throw new Error('no looks')
  return state
}

test('a location is down after two failures in a row, and has no vote after its first one', () => {
  expect(votesOf([stateOf(1, 1, [false])], ownerKey)).toEqual([])
  expect(votesOf([stateOf(1, 1, [true, false])], ownerKey)).toEqual([up(1)])
  expect(votesOf([stateOf(1, 1, [false, false])], ownerKey)).toEqual([down(1)])
  expect(votesOf([stateOf(1, 1, [false, false, true, false])], ownerKey)).toEqual([up(1)])
})

test('one vote for a user’s agents: the newest, and none for the owner of the check', () => {
  const states = [
    stateOf(1, 7, [true]),
    stateOf(2, 7, [false, false]),
    stateOf(3, 8, [true]),
    stateOf(4, ownerKey, [true]),
  ]
  expect(votesOf(states, ownerKey)).toEqual([down(2), up(3)])
})

test('what was said before the last period counts no more', () => {
  const votes = new CheckVotes(ownerKey)
  for (const locationKey of [1, 2]) {
    for (const atMs of [0, periodMs]) {
      votes.take({ locationKey, userKey: locationKey, isUp: false, atMs })
    }
  }
  expect(votes.decide('up', { nowMs: 2 * periodMs, periodMs }).status).toBe('down')
  expect(votes.decide('up', { nowMs: 3 * periodMs, periodMs }).status).toBe('up')
})

test('three days of disagreement with all others end a location’s vote, and agreeing once before prevents it', () => {
  const votes = new CheckVotes(ownerKey)
  const look = (nowMs: number, isLiarUp: boolean) => {
    for (const locationKey of [1, 2, 3]) {
      const isUp = locationKey === 1 ? isLiarUp : true
      votes.take({ locationKey, userKey: locationKey, isUp, atMs: nowMs - 1 })
      votes.take({ locationKey, userKey: locationKey, isUp, atMs: nowMs })
    }
    return votes.decide('up', { nowMs, periodMs })
  }
  expect(look(0, false)).toMatchObject({ unreachableFrom: [1], loner: 1 })
  look(doubtMaxMs / 2, true)
  look(doubtMaxMs, false)
  expect(votes.hasVote(1, doubtMaxMs + 1)).toBe(true)
  expect(look(2 * doubtMaxMs - 1, false).votes).toHaveLength(4)
  expect(look(2 * doubtMaxMs, false).votes).toHaveLength(3)
  // Without a vote, it can't agree either.
  expect(look(2 * doubtMaxMs + 1, true).votes).toHaveLength(3)
  expect(votes.doubts).toEqual(new Map([[1, doubtMaxMs]]))
})

test('nobody disagrees with all others if the server is the only other voter, or the one', () => {
  expect(decide('down', [up(1)]).loner).toBeUndefined()
  expect(decide('up', [down(1)]).loner).toBeUndefined()
  expect(decide('down', [up(1), up(2)]).loner).toBeUndefined()
  expect(decide('down', [down(1), up(2)]).loner).toBe(2)
})
