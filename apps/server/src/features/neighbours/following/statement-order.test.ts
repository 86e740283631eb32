import type { StatementHead } from '@astropelago/contract/neighbour-directory'
import { expect, test } from 'vitest'
import { StatementRefused } from '../statements.ts'
import { StatementOrder } from './statement-order.ts'

const address = 'https://sky.example'
const nowMs = 1_000_000_000

type Head = Partial<StatementHead>

function statement(kind: StatementHead['kind'], head: Head): StatementHead {
  const protocol = 'astropelago-directory/1'
  const rest = { from: address, at: nowMs, epoch: 5, number: 7, sha256: 'x'.repeat(43) }
  return { protocol, kind, ...rest, ...head }
}

const page = (index: number, total: number, head: Head = {}) =>
  statement('page', { page: { index, total }, ...head })
const changes = (number: number, head: Head = {}) => statement('changes', { number, ...head })
const alive = (number: number, head: Head = {}) => statement('alive', { number, ...head })

function orderAt(position: { epoch: number | null; number: number | null }) {
  return new StatementOrder({ address, ...position, now: () => nowMs })
}

const newOne = { epoch: null, number: null }
const known = { epoch: 5, number: 7 }

test('[F22] a snapshot, then changes', () => {
  const order = orderAt(newOne)
  expect(order.take(page(0, 2))).toEqual({ kind: 'page', isFirst: true, isLast: false })
  expect(order.position).toBeUndefined()
  expect(order.take(page(1, 2))).toEqual({ kind: 'page', isFirst: false, isLast: true })
  expect(order.position).toEqual(known)
  expect(order.take(changes(9))).toEqual({ kind: 'changes' })
  expect(order.take(alive(9))).toEqual({ kind: 'alive' })
  expect(order.take(alive(12))).toEqual({ kind: 'alive' })
  expect(order.position).toEqual({ epoch: 5, number: 12 })
  order.take(page(0, 1, { epoch: 6, number: 0 }))
  expect(order.position).toEqual({ epoch: 6, number: 0 })
})

test.each<[string, { epoch: number | null; number: number | null }, StatementHead[]]>([
  ['of somebody else', known, [changes(8, { from: 'https://other.example' })]],
  ['from the future', known, [changes(8, { at: nowMs + 300_001 })]],
  ['alive long ago', known, [alive(8, { at: nowMs - 300_001 })]],
  ['of an earlier epoch', known, [page(0, 1, { epoch: 4, number: 9 })]],
  ['an earlier snapshot', known, [page(0, 1, { number: 6 })]],
  ['the same changes again', known, [changes(7)]],
  ['earlier changes', known, [changes(6)]],
  ['alive before', known, [alive(6)]],
  ['changes of another epoch', known, [changes(8, { epoch: 6 })]],
  ['changes without a snapshot', newOne, [changes(8)]],
  ['alive without a snapshot', newOne, [alive(8)]],
  ['changes within a snapshot', known, [page(0, 2), changes(8)]],
  ['a page without its number', known, [statement('page', {})]],
  ['no pages', known, [page(0, 0)]],
  ['too many pages', known, [page(0, 110_001)]],
  ['a snapshot from its middle', newOne, [page(1, 2)]],
  ['a page twice', known, [page(0, 3), page(1, 3), page(1, 3)]],
  ['a page too few', known, [page(0, 3), page(2, 3)]],
  ['a page of another total', known, [page(0, 3), page(1, 4)]],
  ['a page of another snapshot', known, [page(0, 3), page(1, 3, { number: 8 })]],
  ['about itself', known, [statement('about', {})]],
  ['a question', known, [statement('follow', {})]],
])('[F22] refused: %s', (_, position, statements) => {
  const order = orderAt(position)
  const last = statements.pop()
  for (const one of statements) order.take(one)
  expect(() => last && order.take(last)).toThrow(StatementRefused)
})

test('[F22] an alive statement may come late, changes too if they were made before', () => {
  const order = orderAt(known)
  order.take(changes(8, { at: nowMs - 3_600_000 }))
  order.take(alive(8, { at: nowMs - 299_000 }))
  expect(order.position?.number).toBe(8)
})
