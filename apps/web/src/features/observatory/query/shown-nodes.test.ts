import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmitter } from '../../../lib/emitter.ts'
import { indexListing, type Listing } from '../nodes/index-listing.ts'
import { type NodeRecord, packColumns, statusCodes, textAt } from '../nodes/node-columns.ts'
import { statusWord } from '../nodes/node-name.ts'
import type { SourceState } from '../nodes/node-source.ts'
import { createNodeStore, type NodeChange } from '../nodes/node-store.ts'
import { defaultQuery, type NodeQuery, sortKeys, statusFilters } from './node-query.ts'
import { createShownNodes, type ShownNodes } from './shown-nodes.ts'

const statuses = [statusCodes.online, statusCodes.offline, statusCodes.other]

function node(label: string, index: number): NodeRecord {
  const status = statuses[index % statuses.length] ?? statusCodes.other
  return { id: `${label}-${index}`, label, latDeg: index, lonDeg: -index, status, link: '' }
}

/** All nodes, their listing, and the nodes shown. */
function openNetwork(labels: readonly string[]) {
  const all = createNodeStore()
  const news = createEmitter()
  let listing: Listing | undefined
  const source = {
    get state(): SourceState {
      return { phase: 'ready', isBusy: false, size: undefined, listing }
    },
    subscribe: news.on,
  }
  const fill = (next: readonly string[]) => {
    const nodes = next.map(node)
    all.replace(packColumns(nodes))
    listing = { columns: all.columns, ...indexListing(nodes) }
    news.emit()
  }
  const shown = createShownNodes(all, source)
  shown.start()
  const changes: NodeChange[] = []
  shown.subscribe((change) => changes.push(change))
  fill(labels)
  return { all, shown, changes, fill }
}

/** The nodes on the globe and the map, each with its status. */
function inPictures({ columns }: ShownNodes): string[] {
  return Array.from(columns.status, (status, index) =>
    [textAt(columns.ids, index), statusWord(status), columns.latDeg[index]].join(' '),
  )
}

/** The nodes in the list. */
function inList({ list: { listing, rows } }: ShownNodes): string[] {
  if (listing === undefined) return []
  const { columns } = listing
  return Array.from(rows, (index) =>
    [textAt(columns.ids, index), statusWord(columns.status[index]), columns.latDeg[index]].join(
      ' ',
    ),
  )
}

test('without a query the globe and the map draw the columns of all nodes', () => {
  const { all, shown, changes } = openNetwork(['a', 'b'])
  expect(shown.columns).toBe(all.columns)
  expect(shown.isFiltered).toBe(false)
  all.setStatuses(Uint32Array.of(1), Uint8Array.of(statusCodes.online))
  expect(changes).toEqual([{ kind: 'replaced' }, { kind: 'statuses', indexes: Uint32Array.of(1) }])
})

test('a search shows the same nodes everywhere, and all again when it is cleared', () => {
  const { all, shown } = openNetwork(['attic', 'barn', 'attic', 'cellar'])
  shown.setQuery({ ...defaultQuery, search: 'attic' })
  expect(shown.isFiltered).toBe(true)
  expect(inPictures(shown)).toEqual(['attic-0 online 0', 'attic-2 unknown 2'])
  shown.setQuery(defaultQuery)
  expect(shown.columns).toBe(all.columns)
})

test('a status change of a found node is one change, of another node none', () => {
  const { all, shown, changes } = openNetwork(['attic', 'barn', 'attic'])
  shown.setQuery({ ...defaultQuery, search: 'attic' })
  changes.length = 0
  all.setStatuses(Uint32Array.of(1), Uint8Array.of(statusCodes.online))
  expect(changes).toEqual([])
  all.setStatuses(Uint32Array.of(2), Uint8Array.of(statusCodes.online))
  expect(changes).toEqual([{ kind: 'statuses', indexes: Uint32Array.of(1) }])
  expect(inPictures(shown)).toEqual(['attic-0 online 0', 'attic-2 online 2'])
})

test('the globe, the map and the list show the same nodes after any query and any changes', () => {
  const labels = fc.array(fc.constantFrom('attic', 'barn', 'cellar'), { maxLength: 8 })
  const query: fc.Arbitrary<NodeQuery> = fc.record({
    search: fc.constantFrom('', ' ', 'a', 'attic', 'zzz'),
    status: fc.constantFrom(...statusFilters),
    from: fc.constantFrom('all', 'here', 'harbor'),
    sort: fc.constantFrom(...sortKeys),
    isDescending: fc.boolean(),
  })
  const flip = fc.record({
    kind: fc.constant('flip' as const),
    index: fc.nat(7),
    status: fc.constantFrom(...statuses),
  })
  const step = fc.oneof(
    labels.map((next) => ({ kind: 'fill', next }) as const),
    query.map((next) => ({ kind: 'ask', next }) as const),
    flip,
  )
  fc.assert(
    fc.property(labels, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const { all, shown, fill } = openNetwork(first)
      for (const each of steps) {
        if (each.kind === 'fill') fill(each.next)
        else if (each.kind === 'ask') shown.setQuery(each.next)
        else if (each.index < all.columns.count) {
          all.setStatuses(Uint32Array.of(each.index), Uint8Array.of(each.status))
        }
        expect(inPictures(shown).toSorted()).toEqual(inList(shown).toSorted())
      }
    }),
  )
})
