import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { ValueWrite } from './island-values-store.ts'
import { sqlIslandValuesStore } from './sql-island-values-store.ts'

async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const { key: islandKey } = await insertIsland(db)
  const ada = { userKey: await insertUser(db), id: 'ada', name: 'Ada' }
  const bob = { userKey: await insertUser(db), id: 'bob', name: 'Bob' }
  const shared = { islandKey, store: 'shared', ownerKey: 0 } as const
  let atMs = 0
  const set = (key: string, value = '1', details: Partial<ValueWrite> = {}): ValueWrite => {
    atMs += 1
    const by = { writer: ada, isHost: false, rule: 'own', atMs } as const
    return { ...shared, key, kind: 'set', value, ...by, ...details }
  }
  const remove = (key: string, writer = ada): ValueWrite => ({
    ...shared,
    key,
    kind: 'delete',
    writer,
    isHost: false,
    rule: 'own',
    atMs: 1,
  })
  return { db, store: sqlIslandValuesStore(storage), islandKey, ada, bob, shared, set, remove }
}

test('keys are in the order of their code points, and a prefix is no pattern', async () => {
  const { store, shared, set } = await setUp()
  const keys = ['a', 'B', 'a%b', 'a_b', 'ab', 'é', '\u{1f600}', '\uffff', 'a/\u{10ffff}']
  await store.write(keys.map((key) => set(key)))
  expect(await store.listKeys(shared)).toEqual([
    'B',
    'a',
    'a%b',
    'a/\u{10ffff}',
    'a_b',
    'ab',
    'é',
    '\uffff',
    '\u{1f600}',
  ])
  const listed = async (prefix: string) => {
    const { entries, isWhole } = await store.listEntries({ ...shared, prefix })
    expect(isWhole).toBe(true)
    return entries.map(({ key }) => key)
  }
  expect(await listed('a%')).toEqual(['a%b'])
  expect(await listed('a_')).toEqual(['a_b'])
  expect(await listed('a/')).toEqual(['a/\u{10ffff}'])
  expect(await listed('')).toHaveLength(keys.length)
  expect(await listed('none')).toEqual([])
})

test('a group is judged in order, and each value ends as its last write says', async () => {
  const { store, islandKey, ada, bob, shared, set, remove } = await setUp()
  const outcomes = await store.write([
    set('a', '1'),
    set('a', '1', { rule: 'append' }),
    set('a', '2', { writer: bob }),
    set('b', '"ä"'),
    remove('b'),
    remove('b'),
    set('c', '1', { writer: bob }),
    set('a', '"ä"'),
  ])
  expect(outcomes).toEqual([
    'done',
    'unchanged',
    'not_yours',
    'done',
    'done',
    'unchanged',
    'done',
    'done',
  ])
  const id = (key: string) => ({ ...shared, key })
  const author = { id: ada.id, name: ada.name }
  expect(await store.read([id('c'), id('b'), id('a')])).toEqual([
    { key: 'c', value: '1', author: { id: bob.id, name: bob.name } },
    { key: 'b', value: null, author: null },
    { key: 'a', value: '"ä"', author },
  ])
  expect(await store.totals(islandKey)).toEqual({ keys: 2, bytes: 5 })
  expect(await store.totals(0)).toEqual({ keys: 0, bytes: 0 })
})

test('an answer has the last thousand entries and 4 MiB, and says that there are more', async () => {
  const { db, store, islandKey, ada, shared } = await setUp()
  const insert = async (names: readonly string[], bytes: number) => {
    const by = { user_key: ada.userKey, author_id: ada.id, author_name: ada.name }
    const of = { island_key: islandKey, store: 'shared', owner_key: 0, value: '1', bytes } as const
    const rows = names.map((name, at) => Object.assign({ name, changed_ms: at }, of, by))
    for (let from = 0; from < rows.length; from += 500) {
      await db
        .insertInto('island_values')
        .values(rows.slice(from, from + 500))
        .execute()
    }
  }
  const names = Array.from({ length: 1001 }, (_, at) => `a/${String(at).padStart(4, '0')}`)
  await insert(names, 1)
  const { entries, isWhole } = await store.listEntries({ ...shared, prefix: 'a/' })
  expect([entries.length, isWhole]).toEqual([1000, false])
  expect(entries.map(({ key }) => key)).toEqual(names.slice(1))
  await insert(['b/1', 'b/2', 'b/3'], 2 * 1024 * 1024)
  const large = await store.listEntries({ ...shared, prefix: 'b/' })
  expect([large.entries.map(({ key }) => key), large.isWhole]).toEqual([['b/2', 'b/3'], false])
})

test('the state of an island changes with its values', async () => {
  const { store, islandKey, set, remove } = await setUp()
  const states = [await store.readState(islandKey)]
  for (const write of [set('a'), set('a', '2'), set('b'), remove('a')]) {
    await store.write([write])
    states.push(await store.readState(islandKey))
  }
  expect(new Set(states).size).toBe(5)
})

test('nobody writes for a user who is gone, or on an island that is', async () => {
  const { db, store, islandKey, ada, bob, set } = await setUp()
  await db.deleteFrom('users').where('key', '=', ada.userKey).execute()
  const writes = () => [set('a'), set('b', '1', { writer: bob })]
  expect(await store.write(writes())).toEqual(['signed_out', 'done'])
  await db.deleteFrom('islands').where('key', '=', islandKey).execute()
  await store.write(writes())
  expect(await store.totals(islandKey)).toEqual({ keys: 0, bytes: 0 })
})
