import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchText } from '../../../lib/search-text.ts'
import { indexListing, type Listing } from '../nodes/index-listing.ts'
import { type NodeRecord, packColumns, statusCodes } from '../nodes/node-columns.ts'
import { statusWord } from '../nodes/node-name.ts'
import { defaultQuery, type NodeQuery, sortKeys, statusFilters } from './node-query.ts'
import { selectRows } from './select-rows.ts'

function listingOf(nodes: readonly NodeRecord[]): Listing {
  return { columns: packColumns(nodes), ...indexListing(nodes) }
}

const collator = new Intl.Collator('en', { numeric: true })
const statusRank = { online: 0, offline: 1, unknown: 2 }

function byId(a: NodeRecord, b: NodeRecord): number {
  return a.id < b.id ? -1 : 1
}

function byLabel(a: NodeRecord, b: NodeRecord): number {
  return collator.compare(a.label, b.label) || byId(a, b)
}

function byStatus(a: NodeRecord, b: NodeRecord): number {
  return statusRank[statusWord(a.status)] - statusRank[statusWord(b.status)]
}

/** A simple model of selectRows. */
function model(nodes: readonly NodeRecord[], query: NodeQuery): string[] {
  const wanted = query.search.trim()
  const sign = query.isDescending ? -1 : 1
  const compare = {
    label: (a: NodeRecord, b: NodeRecord) => sign * byLabel(a, b),
    lat: (a: NodeRecord, b: NodeRecord) => sign * (a.latDeg - b.latDeg || byId(a, b)),
    lon: (a: NodeRecord, b: NodeRecord) => sign * (a.lonDeg - b.lonDeg || byId(a, b)),
    status: (a: NodeRecord, b: NodeRecord) => sign * byStatus(a, b) || byLabel(a, b),
  }[query.sort]
  const folded = searchText(wanted)
  return nodes
    .filter(({ neighbour }) => query.from === 'all' || query.from === (neighbour?.id ?? 'here'))
    .filter(({ status }) => query.status === 'all' || statusWord(status) === query.status)
    .filter(
      ({ id, label }) =>
        wanted === '' ||
        (folded !== '' && searchText(label).includes(folded)) ||
        id.includes(wanted.toLowerCase()),
    )
    .toSorted(compare)
    .map(({ id }) => id)
}

// Few letters, so that texts contain each other and also match across the border of two.
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'É', 'é', '1', ' '), maxLength: 4 })

const harbor = { id: 'harbor', name: 'Harbor', address: 'https://harbor.example', colour: 0 }
const reef = { id: 'reef', name: 'Reef', address: 'https://reef.example', colour: 1 }

const anyNodes = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), minLength: 1, maxLength: 4 }),
    label: letters,
    latDeg: fc.constantFrom(-5, 0, 5, 7.5),
    lonDeg: fc.constantFrom(-170, 0, 9, 10),
    status: fc.constantFrom(statusCodes.online, statusCodes.offline, statusCodes.other),
    link: fc.constant(''),
    neighbour: fc.constantFrom(harbor, reef, undefined),
  }),
  { selector: ({ id }) => id },
)

const anyQuery = fc.record({
  search: letters,
  status: fc.constantFrom(...statusFilters),
  from: fc.constantFrom('all', 'here', 'harbor', 'reef', 'nobody'),
  sort: fc.constantFrom(...sortKeys),
  isDescending: fc.boolean(),
})

test('any query gives the same rows as filtering and sorting one by one', () => {
  fc.assert(
    fc.property(anyNodes, anyQuery, (nodes, query) => {
      const rows = selectRows(listingOf(nodes), query)
      expect([...rows].map((index) => nodes[index]?.id)).toEqual(model(nodes, query))
    }),
    { numRuns: 500 },
  )
})

const node = (id: string, label: string): NodeRecord => ({
  id,
  label,
  latDeg: 0,
  lonDeg: 0,
  status: statusCodes.other,
  link: '',
})

test.each([
  ['zurich', ['1']],
  ['ZÜRICH', ['1']],
  ['  harbour ', ['2']],
  ['2', ['1', '2']],
  ['h h', []],
  ['\u0301', []],
])('%j finds %j', (search, ids) => {
  const nodes = [node('1', 'Zürich 2'), node('2', 'Harbour')]
  const rows = selectRows(listingOf(nodes), { ...defaultQuery, search })
  const found = [...rows].map((index) => nodes[index]?.id)
  expect(found.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual(ids)
})

test('a status that changed in place counts at once', () => {
  const listing = listingOf([node('1', 'a'), node('2', 'b')])
  listing.columns.status[1] = statusCodes.online
  expect([...selectRows(listing, { ...defaultQuery, status: 'online' })]).toEqual([1])
  expect([...selectRows(listing, { ...defaultQuery, sort: 'status' })]).toEqual([1, 0])
})
