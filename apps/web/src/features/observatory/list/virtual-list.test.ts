import { expect, test } from 'vitest'
import { nextRow } from './virtual-list.tsx'

const space = { count: 50, pageSize: 10 }

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowUp', 3, 2],
  ['PageDown', 3, 13],
  ['PageUp', 13, 3],
  ['Home', 30, 0],
  ['End', 3, 49],
  ['ArrowUp', 0, 0],
  ['ArrowDown', 49, 49],
  ['PageUp', 3, 0],
  ['PageDown', 45, 49],
])('%s on row %d leads to row %d', (key, current, target) => {
  expect(nextRow(key, current, space)).toBe(target)
})

test.each(['a', 'Tab', 'Enter', 'ArrowLeft', 'toString'])('%s leads nowhere', (key) => {
  expect(nextRow(key, 3, space)).toBeUndefined()
})
