import type { CheckStatus } from '@astropelago/contract/checks'
import { expect, test } from 'vitest'
import type { CheckState, FoundCheck } from '../checks-store.ts'
import { applyVotes } from './apply-votes.ts'
import { decide, type Vote } from './quorum.ts'

const stateOf = (status: CheckStatus, more: Partial<CheckState> = {}): CheckState => ({
  status,
  sinceMs: 100,
  lookedMs: 500,
  startedMs: null,
  dueMs: null,
  tookMs: null,
  failures: 0,
  note: null,
  ...more,
})
const up = (locationKey: number) => ({ locationKey, isUp: true })
const down = (locationKey: number) => ({ locationKey, isUp: false })
const sample = { locationKey: 1, atMs: 500, tookMs: 4 }
const own = { ...sample, locationKey: 0 }
const names = new Map([
  [1, 'Oslo'],
  [2, 'Lima'],
  [3, 'Quito'],
  [4, 'Cork'],
])

function judge(before: CheckStatus | null, server: CheckStatus, votes: readonly Vote[]) {
  const state = before === null ? null : stateOf(before)
  const isChange = server !== (before ?? 'unobserved')
  const found: FoundCheck = {
    checkKey: 7,
    state: stateOf(server, { sinceMs: isChange ? 500 : 100, note: server === 'up' ? null : 'no' }),
    event: isChange ? { atMs: 500, kind: server, note: null } : null,
    samples: [own],
  }
  const given = {
    decision: decide(server, votes),
    samples: [sample],
    nameOf: (key: number) => names.get(key) ?? null,
  }
  return applyVotes({ state }, found, given)
}

test('without locations, it is what the server found', () => {
  expect(judge('up', 'down', [])).toMatchObject({
    state: { status: 'down', sinceMs: 500, note: 'no' },
    event: { kind: 'down' },
    samples: [own, sample],
  })
})

test('an outage that the server alone sees is none, and says so', () => {
  expect(judge('up', 'down', [up(1), up(2)])).toMatchObject({
    state: { status: 'up', sinceMs: 100, note: 'Not reachable from this server.' },
    event: null,
    samples: [own, sample],
  })
})

test('an outage that the quorum sees begins now, although the server reaches it', () => {
  const note = 'Not reachable from Oslo and a location without a name.'
  expect(judge('up', 'up', [down(1), down(9)])).toMatchObject({
    state: { status: 'down', sinceMs: 500, note },
    event: { atMs: 500, kind: 'down', note },
  })
  expect(judge('down', 'up', [down(1), down(9)])).toMatchObject({
    state: { status: 'down', sinceMs: 100 },
    event: null,
  })
})

test('while the server can’t see, it stays what the server says, also down', () => {
  const found: FoundCheck = { checkKey: 7, state: stateOf('down'), event: null, samples: [] }
  const given = { decision: decide('unobserved', [up(1)]), samples: [sample], nameOf: () => null }
  const judged = applyVotes({ state: stateOf('down') }, found, given)
  expect(judged).toEqual({ ...found, samples: [sample] })
})

test('a recovery, and a first look', () => {
  expect(judge('down', 'up', [up(1), up(2)])).toMatchObject({
    state: { status: 'up', sinceMs: 500, note: null },
    event: { atMs: 500, kind: 'up' },
  })
  expect(judge(null, 'up', [up(1)]).event).toEqual({ atMs: 500, kind: 'up', note: null })
})

test('long lists of locations are cut', () => {
  const votes = [1, 2, 3, 4, 9].map(down)
  const { note } = judge('up', 'up', [...votes, up(5), up(6), up(7), up(8), up(10)]).state
  expect(note).toBe('Not reachable from Oslo, Lima, Quito and 2 more.')
})
