import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NodeColumns, noNodes, statusCodes, textAt } from './node-columns.ts'
import { createNodeStore } from './node-store.ts'
import { NodeTable } from './node-table.ts'
import { readNode } from './read-node.ts'

interface Row {
  readonly id: string
  readonly label: string
  readonly lat: number
  readonly lon: number
  readonly status: string
  readonly link: string | null
}

function row(id: string, changes: Partial<Row> = {}): Row {
  return { id, label: `Pi ${id}`, lat: 1, lon: 2, status: 'unknown', link: null, ...changes }
}

function tableOf(...rows: readonly unknown[]): NodeTable {
  const table = new NodeTable()
  table.setAll(rows)
  table.takeUpdate()
  return table
}

/** What the columns say of each node, by id. */
function readBack(columns: NodeColumns): Map<string, unknown> {
  const nodes = new Map<string, unknown>()
  for (let index = 0; index < columns.count; index += 1) {
    nodes.set(textAt(columns.ids, index), {
      label: textAt(columns.labels, index),
      link: textAt(columns.links, index),
      latDeg: columns.latDeg[index],
      lonDeg: columns.lonDeg[index],
      status: columns.status[index],
    })
  }
  return nodes
}

/** The same, said simply: the last good row of each id. */
function model(rows: readonly unknown[]): Map<string, unknown> {
  const nodes = new Map<string, unknown>()
  for (const each of rows) {
    const node = readNode(each)
    if (node === undefined) continue
    const { id, ...rest } = node
    nodes.set(id, rest)
  }
  return nodes
}

const anyRow: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'aa', 'ab'),
      label: fc.string({ maxLength: 3, unit: 'binary' }),
      // No negative zero: it is the same place as zero, and toEqual tells them apart.
      lat: fc.double({ min: -91, max: 91, noNaN: false }).map((lat) => lat + 0),
      lon: fc.constantFrom(-180, 0, 12.5, 180, 200),
      status: fc.constantFrom('online', 'offline', 'unknown', 'odd'),
      link: fc.constantFrom(null, 'https://a.example/', 'javascript:1'),
    }),
  },
  { weight: 1, arbitrary: fc.anything() },
)

/** Applies a table's update as the page does. */
function follow(table: NodeTable, store: ReturnType<typeof createNodeStore>): void {
  const update = table.takeUpdate()
  if (update?.kind === 'columns') store.replace(update.columns)
  else if (update !== undefined) store.setStatuses(update.indexes, update.statuses)
}

describe('decoding', () => {
  test('any list decodes to the last good row of each id, on the sphere where it belongs', () => {
    fc.assert(
      fc.property(fc.array(anyRow), (rows) => {
        const table = new NodeTable()
        table.setAll(rows)
        const update = table.takeUpdate()
        const columns = update?.kind === 'columns' ? update.columns : noNodes
        expect(readBack(columns)).toEqual(model(rows))
        for (let index = 0; index < columns.count; index += 1) {
          const [x = 0, y = 0, z = 0] = columns.unit.subarray(3 * index, 3 * index + 3)
          expect((Math.asin(y) * 180) / Math.PI).toBeCloseTo(columns.latDeg[index] ?? 999, 1)
          expect(Math.hypot(x, y, z)).toBeCloseTo(1, 5)
        }
      }),
    )
  })

  test('the unit vectors: y to the north pole, z to lat 0 lon 0, x to lon 90', () => {
    const table = new NodeTable()
    table.setAll([
      row('z', { lat: 0, lon: 0 }),
      row('x', { lat: 0, lon: 90 }),
      row('y', { lat: 90 }),
    ])
    const update = table.takeUpdate()
    const unit = update?.kind === 'columns' ? [...update.columns.unit] : []
    expect(unit.map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([
      0, 0, 1, 1, 0, 0, 0, 1, 0,
    ])
  })
})

describe('telling what changed', () => {
  test('any sequence of lists and single changes ends as a fresh decode of it', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('list' as const), rows: fc.array(anyRow) }),
      fc.record({
        kind: fc.constant('changes' as const),
        rows: fc.array(anyRow, { maxLength: 3 }),
        removed: fc.array(fc.constantFrom('a', 'b', 'aa', 'nobody'), { maxLength: 2 }),
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const table = new NodeTable()
        const store = createNodeStore()
        let expected = new Map<string, unknown>()
        for (const each of steps) {
          if (each.kind === 'list') {
            table.setAll(each.rows)
            expected = model(each.rows)
          } else {
            table.apply(each.rows, each.removed)
            for (const changed of each.rows) {
              const badId = readNode(changed) === undefined && idOf(changed)
              if (typeof badId === 'string') expected.delete(badId)
              for (const [id, node] of model([changed])) expected.set(id, node)
            }
            for (const id of each.removed) expected.delete(id)
          }
          follow(table, store)
          expect(readBack(store.columns)).toEqual(expected)
        }
      }),
    )
  })

  test('the same nodes in another order are no change: every heartbeat reorders the list', () => {
    const table = tableOf(row('a'), row('b'), row('c'))
    table.setAll([row('c'), row('a'), row('b')])
    expect(table.takeUpdate()).toBeUndefined()
  })

  test('where only statuses changed, only they are told, whatever the order', () => {
    const table = tableOf(row('a'), row('b', { status: 'online' }), row('c'))
    table.setAll([row('c', { status: 'online' }), row('b', { status: 'offline' }), row('a')])
    const update = table.takeUpdate()
    expect(update).toEqual({
      kind: 'statuses',
      indexes: Uint32Array.of(2, 1),
      statuses: Uint8Array.of(statusCodes.online, statusCodes.offline),
      tally: { cameOnline: 1, wentOffline: 1, added: 0, removed: 0 },
    })
  })

  test.each([
    ['a new node', [row('a'), row('b'), row('c')], { added: 1 }],
    ['a node that is gone', [row('b')], { removed: 1 }],
    ['a node that can no longer be drawn', [row('a', { lat: 91 }), row('b')], { removed: 1 }],
    ['another label', [row('a', { label: 'Roof' }), row('b')], {}],
    ['another place', [row('a', { lon: 3 }), row('b')], {}],
    ['another link', [row('a', { link: 'https://a.example/' }), row('b')], {}],
  ])('%s takes new columns', (_, rows, tally) => {
    const table = tableOf(row('a'), row('b'))
    table.setAll(rows)
    const none = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }
    expect(table.takeUpdate()).toMatchObject({ kind: 'columns', tally: { ...none, ...tally } })
    expect(table.takeUpdate()).toBeUndefined()
  })

  test('nodes that stay keep their index when others come', () => {
    const table = tableOf(row('a'), row('b'))
    table.setAll([row('new'), row('b'), row('a')])
    const update = table.takeUpdate()
    expect(update?.kind === 'columns' && update.columns.ids.text).toBe('abnew')
  })

  test('an empty first list is told too: the page waits for it', () => {
    const table = new NodeTable()
    table.setAll([])
    expect(table.takeUpdate()).toMatchObject({ kind: 'columns', columns: { count: 0 } })
  })
})

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
}
