import type { PublicDevice } from '@astropelago/contract/devices'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NodeColumns, noNodes, statusCodes, textAt, tintsOf } from './node-columns.ts'
import { createNodeStore } from './node-store.ts'
import { NodeList, NodeTable, readNode } from './node-table.ts'

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

const pi = row('a1', { label: 'Pi', lat: 48.2, lon: 16.4, status: 'online' })

test('a row of the list becomes a node', () => {
  expect(readNode({ ...pi, more: 'from a newer server' })).toEqual({
    id: 'a1',
    label: 'Pi',
    latDeg: 48.2,
    lonDeg: 16.4,
    status: statusCodes.online,
    link: '',
  })
})

describe('a row without a place on Earth is not drawn', () => {
  test.each([
    { lat: Number.NaN },
    { lat: Number.POSITIVE_INFINITY },
    { lat: 90.000_001 },
    { lat: -90.000_001 },
    { lon: 180.000_001 },
    { lon: -180.000_001 },
    { lon: Number.NEGATIVE_INFINITY },
    { lat: '48.2' },
    { lon: null },
    { lat: undefined },
    { id: '' },
    { id: 7 },
  ])('%j', (broken) => {
    expect(readNode({ ...pi, ...broken })).toBeUndefined()
  })

  test.each([null, undefined, 'row', 7, [], {}])('%j', (notRow) => {
    expect(readNode(notRow)).toBeUndefined()
  })
})

test.each([
  [90, 180],
  [-90, -180],
  [0, 0],
])('the edges of the Earth are on it: %d, %d', (lat, lon) => {
  expect(readNode({ ...pi, lat, lon })).toMatchObject({ latDeg: lat, lonDeg: lon })
})

test.each([
  ['online', statusCodes.online],
  ['offline', statusCodes.offline],
  ['unknown', statusCodes.other],
  ['asleep', statusCodes.other],
  ['toString', statusCodes.other],
  [null, statusCodes.other],
])('the status %j is %d', (status, code) => {
  expect(readNode({ ...pi, status })).toMatchObject({ status: code })
})

describe('S27 a link is drawn only where it is safe to follow', () => {
  test.each([
    ['https://light.example', 'https://light.example/'],
    ['javascript:alert(1)', ''],
    [' \u0001java\nscript:alert(1)', ''],
    ['data:text/html,hi', ''],
    ['/relative', ''],
    ['', ''],
    [7, ''],
    [undefined, ''],
  ])('%j', (link, drawn) => {
    expect(readNode({ ...pi, link })).toMatchObject({ link: drawn })
  })
})

test('a node without a usable label is drawn without one', () => {
  expect(readNode({ ...pi, label: null })).toMatchObject({ label: '' })
})

function tableOf(...rows: readonly unknown[]): NodeTable {
  const table = new NodeTable()
  table.setAll(rows)
  table.takeUpdate()
  return table
}

/** The values in the columns for each node, by id. */
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

/** A simple model of the table: the last valid row of each id. */
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

const anyDevice: fc.Arbitrary<PublicDevice> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'aa', 'ab'),
  label: fc.string({ maxLength: 3, unit: 'binary' }),
  // Without negative zero: it is the same place as zero, but toEqual distinguishes them.
  lat: fc.double({ min: -91, max: 91, noNaN: false }).map((lat) => lat + 0),
  lon: fc.constantFrom(-180, 0, 12.5, 180, 200),
  status: fc.constantFrom('online', 'offline', 'unknown'),
  link: fc.constantFrom(null, 'https://a.example/', 'javascript:1'),
})
const anyRow: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: anyDevice },
  { weight: 1, arbitrary: anyDevice.map((device) => ({ ...device, status: 'odd' })) },
  { weight: 1, arbitrary: fc.anything() },
)

/** Applies a table's update like the page. */
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

describe('reporting changes', () => {
  test('any sequence of lists and single changes ends like a fresh decode', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('list' as const), rows: fc.array(anyRow) }),
      fc.record({
        kind: fc.constant('changes' as const),
        devices: fc.array(anyDevice, { maxLength: 3 }),
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
            table.apply(each.devices, each.removed)
            for (const device of each.devices) {
              if (readNode(device) === undefined) expected.delete(device.id)
              for (const [id, node] of model([device])) expected.set(id, node)
            }
            for (const id of each.removed) expected.delete(id)
          }
          follow(table, store)
          expect(readBack(store.columns)).toEqual(expected)
        }
      }),
    )
  })

  test('a new order is not a change, because every heartbeat reorders the list', () => {
    const table = tableOf(row('a'), row('b'), row('c'))
    table.setAll([row('c'), row('a'), row('b')])
    expect(table.takeUpdate()).toBeUndefined()
  })

  test('if only statuses changed, only they are reported, whatever the order', () => {
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

  test('existing nodes keep their index when others are added', () => {
    const table = tableOf(row('a'), row('b'))
    table.setAll([row('new'), row('b'), row('a')])
    const update = table.takeUpdate()
    expect(update?.kind === 'columns' && update.columns.ids.text).toBe('abnew')
  })

  test('an empty first list is reported, because the page waits for it', () => {
    const table = new NodeTable()
    table.setAll([])
    expect(table.takeUpdate()).toMatchObject({ kind: 'columns', columns: { count: 0 } })
  })
})

const device = (id: string, status: PublicDevice['status']): PublicDevice => ({
  id,
  label: id,
  lat: 1,
  lon: 2,
  status,
  link: null,
})
const at = (number: number) => ({ epoch: 'e', number })
const statuses = ({ table }: NodeList) => table.nodes.map(({ id, status }) => `${id}${status}`)

test('a list older than the feed changes nothing; a newer list does', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [device('a', 'offline')], etag: '"e-3"' })
  nodes.apply([device('a', 'online'), device('b', 'offline')], [], at(5))
  nodes.load({ rows: [device('a', 'offline')], etag: '"e-4"' })
  expect(statuses(nodes)).toEqual(['a2', 'b1'])
  expect(nodes.position).toEqual(at(5))
  nodes.load({ rows: [device('b', 'online')], etag: '"e-6"' })
  expect(statuses(nodes)).toEqual(['b2'])
})

test('changes that the list already has are not reported again', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [device('a', 'online')], etag: '"e-3"' })
  nodes.apply([device('a', 'offline')], [], at(3))
  expect(statuses(nodes)).toEqual(['a2'])
})

test('the list of a restarted server applies whatever its number, and so does one without a number', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [device('a', 'online')], etag: '"e-9"' })
  nodes.load({ rows: [device('a', 'offline')], etag: '"f-0"' })
  expect(statuses(nodes)).toEqual(['a1'])
  nodes.load({ rows: [device('a', 'online')], etag: null })
  expect(statuses(nodes)).toEqual(['a2'])
})

test('whatever arrives late, the nodes end in the latest state', () => {
  // The server's state after each change: the status of one device.
  const history = fc.array(fc.constantFrom('online' as const, 'offline' as const), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(
      history,
      fc.infiniteStream(fc.nat(7)),
      fc.infiniteStream(fc.boolean()),
      (all, late, isListed) => {
        const nodes = new NodeList()
        for (const [number, status] of all.entries()) {
          nodes.apply([device('a', status)], [], at(number))
          const then = Math.min(number, late.next().value)
          const old = device('a', all[then] ?? 'unknown')
          if (isListed.next().value) nodes.load({ rows: [old], etag: `"e-${then}"` })
        }
        expect(statuses(nodes)).toEqual([all.at(-1) === 'online' ? 'a2' : 'a1'])
      },
    ),
  )
})

test('private devices are shown beside public ones until they are removed; the latest source wins', () => {
  const table = new NodeTable()
  const shown = () =>
    table.nodes.map(({ id, isPrivate = false }) => (isPrivate ? `${id} private` : id)).toSorted()
  table.setAll([row('a1')])
  table.takeUpdate()
  table.setPrivate([device('b2', 'online'), device('c3', 'offline')])
  expect(shown()).toEqual(['a1', 'b2 private', 'c3 private'])
  const update = table.takeUpdate()
  expect(update?.tally.added).toBe(0)
  expect(update?.kind === 'columns' && [...update.columns.privates]).toEqual([1, 2])

  // No public list has them, and the feed may report the removal of one that became private.
  table.setAll([row('a1')])
  table.apply([], ['b2'])
  expect(shown()).toEqual(['a1', 'b2 private', 'c3 private'])
  table.apply([device('b2', 'online')], [])
  table.setPrivate([])
  expect(shown()).toEqual(['a1', 'b2'])
})

const harbor = { id: 'harbor', name: 'Harbor', address: 'https://harbor.example', colour: 3 }
const reef = { id: 'reef', name: 'Reef', address: 'https://reef.example', colour: 4 }
const ids = ({ table }: NodeList) => table.nodes.map(({ id }) => id).toSorted()
const theirs = (id: string) => ({ id, label: id, lat: 1, lon: 2, status: 'online' as const })
const noneGone = { removedIds: [], removedNeighbours: [], hasChangedNeighbours: false }

test('devices of shown neighbours stand beside the others, lead to their own page, and tell nobody', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [device('a', 'online')], etag: '"e-3"' })
  nodes.table.takeUpdate()
  expect(nodes.showNeighbours([harbor])).toBe(true)
  const rows = ['harbor:x', 'reef:x', 'x', ':x'].map(theirs)
  nodes.loadOfNeighbours({ rows, position: at(4) })
  expect(ids(nodes)).toEqual(['a', 'harbor:x'])
  const update = nodes.table.takeUpdate()
  expect(update?.tally).toEqual({ cameOnline: 0, wentOffline: 0, added: 0, removed: 0 })
  if (update?.kind !== 'columns') throw new Error('There are no columns')
  expect([...update.columns.from]).toEqual([0, 1])
  expect(update.columns.neighbours).toEqual([harbor])
  expect(update.columns.links.text).toBe('https://harbor.example/devices/x')
  expect([...tintsOf(update.columns)]).toEqual([0, 4])

  // The own list has none of them, and an empty one removes none.
  nodes.load({ rows: [], etag: '"e-5"' })
  expect(ids(nodes)).toEqual(['harbor:x'])
})

test('a list of neighbours older than the feed changes nothing; a removed neighbour takes all with it', () => {
  const nodes = new NodeList()
  nodes.showNeighbours([harbor, reef])
  nodes.loadOfNeighbours({ rows: [theirs('harbor:x'), theirs('reef:x')], position: at(3) })
  nodes.applyOfNeighbours({ ...noneGone, changed: [theirs('harbor:y')], position: at(5) })
  nodes.loadOfNeighbours({ rows: [], position: at(4) })
  nodes.applyOfNeighbours({ changed: [], ...noneGone, removedIds: ['harbor:y'], position: at(5) })
  expect(ids(nodes)).toEqual(['harbor:x', 'harbor:y', 'reef:x'])
  nodes.applyOfNeighbours({
    ...noneGone,
    changed: [],
    removedIds: ['reef:x'],
    removedNeighbours: ['harbor'],
    position: at(6),
  })
  expect(ids(nodes)).toEqual([])
})

test('a neighbour that is switched off goes at once, and comes back with a list that has not changed', () => {
  const nodes = new NodeList()
  const rows = [theirs('harbor:x'), theirs('reef:x')]
  nodes.showNeighbours([harbor, reef])
  nodes.loadOfNeighbours({ rows, position: at(3) })
  expect(nodes.showNeighbours([reef])).toBe(false)
  expect(ids(nodes)).toEqual(['reef:x'])
  expect(nodes.showNeighbours([harbor, reef])).toBe(true)
  nodes.loadOfNeighbours({ rows, position: at(3) })
  expect(ids(nodes)).toEqual(['harbor:x', 'reef:x'])
  nodes.showNeighbours([])
  expect(ids(nodes)).toEqual([])
})

test('after the change of a neighbour its list is due until one arrives that has the change', () => {
  const nodes = new NodeList()
  nodes.showNeighbours([harbor])
  nodes.loadOfNeighbours({ rows: [theirs('harbor:x')], position: at(3) })
  expect(nodes.isNeighboursListDue).toBe(false)
  nodes.applyOfNeighbours({ ...noneGone, changed: [], hasChangedNeighbours: true, position: at(5) })
  nodes.loadOfNeighbours({ rows: [], position: at(4) })
  expect(nodes.isNeighboursListDue).toBe(true)
  expect(ids(nodes)).toEqual(['harbor:x'])
  nodes.loadOfNeighbours({ rows: [theirs('harbor:y')], position: at(5) })
  expect(nodes.isNeighboursListDue).toBe(false)
  expect(ids(nodes)).toEqual(['harbor:y'])
})
