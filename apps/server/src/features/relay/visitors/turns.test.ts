import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

function setUp(startsPerTurn: number) {
  const due: (() => void)[] = []
  const started: string[] = []
  const turns = new Turns({
    startsAfter: () => startsPerTurn,
    inNextTurn: (run) => due.push(run),
  })
  return {
    started,
    take: (islandKey: number, name: string) => turns.take(islandKey, () => started.push(name)),
    nextTurn: () => {
      for (const run of due.splice(0)) run()
    },
    isOver: () => due.length === 0,
  }
}

test('R13 a flood for one island makes another one wait for one turn at most', () => {
  const { take, nextTurn, started } = setUp(4)
  for (let count = 1; count <= 100; count += 1) take(1, `flood ${count}`)
  take(2, 'other')
  expect(started).toEqual(['flood 1', 'flood 2', 'flood 3', 'flood 4'])
  nextTurn()
  expect(started.slice(4)).toEqual(['flood 5', 'other', 'flood 6', 'flood 7'])
})

test('R13 a request that arrives while others wait does not overtake them', () => {
  const { take, nextTurn, started } = setUp(1)
  take(1, 'first')
  take(1, 'second')
  nextTurn()
  take(1, 'third')
  take(2, 'other')
  nextTurn()
  nextTurn()
  expect(started).toEqual(['first', 'second', 'third', 'other'])
})

test('everything that waits is started, and then no further turn is planned', () => {
  const { take, nextTurn, started, isOver } = setUp(2)
  for (let count = 0; count < 7; count += 1) take(count % 3, String(count))
  for (let turn = 0; turn < 3; turn += 1) nextTurn()
  expect(started).toHaveLength(7)
  nextTurn()
  expect(isOver()).toBe(true)
})
