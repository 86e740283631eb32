import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultQuery,
  readNodeQuery,
  sortKeys,
  statusFilters,
  withNodeQuery,
} from './node-query.ts'

test('a query survives being written to an address and read back', () => {
  const query = fc.record({
    search: fc.string({ maxLength: 100 }).filter((text) => text === '' || text.trim() !== ''),
    status: fc.constantFrom(...statusFilters),
    from: fc.constantFrom('all', 'here', 'n-1'),
    sort: fc.constantFrom(...sortKeys),
    isDescending: fc.boolean(),
  })
  fc.assert(
    fc.property(query, (written) => {
      const address = withNodeQuery(new URLSearchParams(), written).toString()
      expect(readNodeQuery(new URLSearchParams(address))).toEqual(written)
    }),
  )
})

test('an address without a query stays the same, and other parameters stay in it', () => {
  expect(withNodeQuery(new URLSearchParams('other=1'), defaultQuery).toString()).toBe('other=1')
  const query = { ...defaultQuery, sort: 'lat', isDescending: true } as const
  const address = withNodeQuery(new URLSearchParams('q=old&other=1'), query)
  expect(address.toString()).toBe('other=1&sort=lat&dir=desc')
})

test.each(['', 'status=asleep&sort=owner&dir=up', `q=${'x'.repeat(101)}`])(
  'an address without a valid query gives the default: %s',
  (address) => {
    expect(readNodeQuery(new URLSearchParams(address))).toEqual(defaultQuery)
  },
)
