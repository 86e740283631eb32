import { expect, test } from 'vitest'
import { actionOfKey } from './globe-action.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }

test.each([
  ['ArrowLeft', 'turn-west'],
  ['+', 'zoom-in'],
  ['=', 'zoom-in'],
  ['-', 'zoom-out'],
  ['N', 'next-node'],
  ['p', 'previous-node'],
  ['Home', 'reset'],
  ['Enter', 'open'],
  ['Escape', 'leave'],
  ['Tab', undefined],
  ['PageDown', undefined],
  ['toString', undefined],
])('%s means %s', (key, action) => {
  expect(actionOfKey({ ...plain, key })).toBe(action)
})

test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s a key is the browser’s own', (modifier) => {
  for (const key of ['+', '-', 'ArrowLeft', 'n', 'Home']) {
    expect(actionOfKey({ ...plain, key, [modifier]: true })).toBeUndefined()
  }
})
