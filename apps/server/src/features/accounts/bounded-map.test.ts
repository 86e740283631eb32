import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('a full map forgets the entry used longest ago', () => {
  const map = new BoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
})

test('setting a key anew takes no further place', () => {
  const map = new BoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  expect([map.get('a'), map.get('b')]).toEqual([1, 3])
})
