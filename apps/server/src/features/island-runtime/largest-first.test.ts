import { expect, test } from 'vitest'
import { beyondUnread, whoMakesRoom } from './largest-first.ts'

const page = (name: string, network: string, bytes = 0) => ({
  name,
  network,
  unreadBytes: () => bytes,
})

test('S63 when too much waits for all pages, those of the network with the most go first', () => {
  const many = Array.from({ length: 10 }, (_, at) => page(`many ${at}`, 'a', 10 + at))
  const pages = [page('one', 'b', 60), ...many, page('other', 'c', 5)]
  expect(beyondUnread(pages, 210)).toEqual([])
  expect(beyondUnread(pages, 180).map(({ name }) => name)).toEqual(['many 9', 'many 8'])
  expect(beyondUnread(pages, 60).map(({ name }) => name)).toEqual([
    ...many.map(({ name }) => name).toReversed(),
    'one',
  ])
})

test('S63 on a full island, a page of another network takes the place of the largest network’s newest', () => {
  const pages = [page('a1', 'a'), page('b1', 'b'), page('a2', 'a'), page('a3', 'a')]
  expect(whoMakesRoom(pages, 'c')?.name).toBe('a3')
  expect(whoMakesRoom(pages, 'b')?.name).toBe('a3')
  expect(whoMakesRoom(pages, 'a')).toBeUndefined()
  expect(whoMakesRoom(pages.slice(0, 2), 'c')).toBeUndefined()
})
