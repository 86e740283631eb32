import { describe, expect, test } from 'vitest'
import type {
  EntryId,
  EntryQuota,
  EntryWrite,
  KeyValuesStore,
  WriteOutcome,
} from './key-values-store.ts'

export interface KeyValuesStoreHarness {
  readonly store: KeyValuesStore
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (userKey: number) => Promise<void>
  /** How many entries are stored in all. */
  readonly countEntries: () => Promise<number>
}

const roomy: EntryQuota = { entries: 1000, bytes: 1_000_000 }

/** What every key-value store must do, on any database. */
export function keyValuesStoreContract(open: () => Promise<KeyValuesStoreHarness>): void {
  async function setUp(quota = roomy) {
    const harness = await open()
    const { store, insertUser } = harness
    const [owner, stranger] = [await insertUser(), await insertUser()]
    const id = (key: string, more: Partial<EntryId> = {}): EntryId => ({
      userKey: owner,
      collection: '',
      key,
      ...more,
    })
    const set = (key: string, value: string, more: Partial<EntryId> = {}): EntryWrite => ({
      ...id(key, more),
      kind: 'set',
      value,
    })
    const byDefault = (key: string, value: string): EntryWrite => ({
      ...id(key),
      kind: 'default',
      value,
    })
    const remove = (key: string, more: Partial<EntryId> = {}): EntryWrite => ({
      ...id(key, more),
      kind: 'delete',
    })
    const write = (...writes: EntryWrite[]) => store.write(writes, quota)
    const read = (...keys: string[]) => store.read(keys.map((key) => id(key)))
    return { ...harness, owner, stranger, id, set, byDefault, remove, write, read }
  }

  describe('entries', () => {
    test('all keys of one user are listed and counted, in all collections', async () => {
      const { store, write, set, owner, stranger } = await setUp()
      await write(set('b', '1'), set('a', '1', { collection: 'x' }), set('a', '1'))
      await write(set('c', '1', { userKey: stranger }))
      expect(await store.listAll(owner)).toEqual([
        { userKey: owner, collection: '', key: 'a' },
        { userKey: owner, collection: '', key: 'b' },
        { userKey: owner, collection: 'x', key: 'a' },
      ])
      expect([await store.count(owner), await store.count(stranger)]).toEqual([3, 1])
    })

    test('a value is read until it is deleted; an absent key is null', async () => {
      const { write, read, set, remove } = await setUp()
      expect(await read('a')).toEqual([null])
      expect(await write(set('a', '1'))).toEqual(['done'])
      expect(await read('a')).toEqual(['1'])
      expect(await write(set('a', '2'))).toEqual(['done'])
      expect(await read('a')).toEqual(['2'])
      expect(await write(remove('a'))).toEqual(['done'])
      expect(await read('a')).toEqual([null])
      expect(await write(remove('a'))).toEqual(['done'])
    })

    test('a default sets an absent key, and never overwrites', async () => {
      const { write, read, byDefault, remove } = await setUp()
      expect(await write(byDefault('a', '1'))).toEqual(['done'])
      expect(await write(byDefault('a', '2'))).toEqual(['done'])
      expect(await read('a')).toEqual(['1'])
      await write(remove('a'))
      await write(byDefault('a', '3'))
      expect(await read('a')).toEqual(['3'])
    })

    test('a stored null is a value, which a default does not overwrite', async () => {
      const { write, read, set, byDefault } = await setUp()
      await write(set('a', 'null'), byDefault('a', '1'))
      await write(byDefault('a', '2'))
      expect(await read('a')).toEqual(['null'])
    })

    test('the writes of a group count in their order', async () => {
      const { write, read, set, byDefault, remove } = await setUp()
      await write(set('was', '0'))
      await write(
        set('last', '1'),
        set('last', '2'),
        byDefault('first', '1'),
        byDefault('first', '2'),
        set('gone', '1'),
        remove('gone'),
        remove('was'),
        byDefault('was', '1'),
      )
      expect(await read('last', 'first', 'gone', 'was')).toEqual(['2', '1', null, '1'])
    })

    test('values are read in the order asked for, as often as asked for', async () => {
      const { write, read, set } = await setUp()
      await write(set('a', '1'), set('b', '2'))
      expect(await read('b', 'none', 'a', 'b')).toEqual(['2', null, '1', '2'])
      expect(await read()).toEqual([])
    })

    test('many entries are written and read at once', async () => {
      const { store, owner, write, read, set } = await setUp()
      const keys = Array.from({ length: 300 }, (_, i) => `key ${i}`)
      await write(...keys.map((key, i) => set(key, `${i}`)))
      expect(await read(...keys)).toEqual(keys.map((_, i) => `${i}`))
      expect(await store.listKeys(owner, '')).toHaveLength(300)
    })

    test('S40 keys are listed by code point, each once, and case counts', async () => {
      const { store, owner, write, set } = await setUp()
      // By UTF-16 units the emoji would come before U+FFFD.
      const inOrder = ['', ' ', '10', '9', 'A', 'B', 'a', 'aa', 'e\u0301', 'z', 'é', '\uFFFD', '👩‍🚀']
      await write(...inOrder.toReversed().map((key) => set(key, '1')))
      await write(set('a', '2'))
      expect(await store.listKeys(owner, '')).toEqual(inOrder)
      expect(await store.listKeys(404, '')).toEqual([])
    })

    test.each([
      ['slashes', 'a/b//c/'],
      ['spaces', ' a  b '],
      ['emoji', '👩‍🚀🏳️‍🌈'],
      ['a literal %2F', 'a%2Fb%'],
      ['quotes and backslashes', `"a'b\`\\c`],
      ['what looks like SQL', `'; drop table key_values; --`],
      ['what looks like JSON', '["a",{"b":null}]'],
      ['what looks like a number', '1e3'],
      ['control characters', '\u0001\t\n\u007F\u0085\u2028'],
      ['a key of Object.prototype', '__proto__'],
      ['512 bytes', 'é'.repeat(256)],
    ])('S40 a key with %s is stored unchanged', async (_, key) => {
      const { store, owner, write, read, set, remove } = await setUp()
      await write(set(key, '1'), set(`${key}x`, '2'))
      expect(await store.listKeys(owner, '')).toEqual([key, `${key}x`])
      expect(await read(key)).toEqual(['1'])
      await write(remove(key))
      expect(await store.listKeys(owner, '')).toEqual([`${key}x`])
    })

    test.each([
      ['null', 'null'],
      ['an empty text', '""'],
      ['an escaped NUL', String.raw`"a\u0000b"`],
      ['escaped lone surrogates', String.raw`["\ud800","\uDC00\ud83d"]`],
      ['escapes that nothing asks for', String.raw`"\u0061\/\n"`],
      ['quotes and backslashes', String.raw`"\"'\\"`],
      ['white space', ' { "b" : 1,\r\n\t"a" : [ ] } '],
      ['a key twice', '{"a":1,"a":2}'],
      ['digits that no double holds', '[12345678901234567890.10,1e999,-0]'],
      ['emoji and separators of lines', '"👩‍🚀\u2028\u2029\u007F"'],
      ['much nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`],
      ['much text', JSON.stringify('é"\\'.repeat(50_000))],
    ])('S40 a value of %s is read back byte for byte', async (_, value) => {
      const { write, read, set, byDefault } = await setUp()
      expect(await write(set('a', value), byDefault('b', value))).toEqual(['done', 'done'])
      expect(await read('a', 'b')).toEqual([value, value])
    })
  })

  describe('ownership', () => {
    test('S23 users with the same key and collection don’t share a value', async () => {
      const { store, owner, stranger, write, read, set, byDefault, remove, id } = await setUp()
      await write(set('a', '1'))
      expect(await store.listKeys(stranger, '')).toEqual([])
      expect(await store.read([id('a', { userKey: stranger })])).toEqual([null])
      await write(
        { ...byDefault('a', '2'), userKey: stranger },
        set('b', '2', { userKey: stranger }),
      )
      expect(await read('a', 'b')).toEqual(['1', null])
      await write(remove('a', { userKey: stranger }))
      expect(await read('a')).toEqual(['1'])
      expect(await store.listKeys(owner, '')).toEqual(['a'])
      expect(await store.listKeys(stranger, '')).toEqual(['b'])
    })

    test('a collection is a set of keys of its own', async () => {
      const { store, owner, write, read, set, remove, id } = await setUp()
      const inGames = { collection: 'games' }
      await write(set('a', '1'), set('a', '2', inGames), set('b', '3', inGames))
      expect(await read('a', 'b')).toEqual(['1', null])
      expect(await store.read([id('a', inGames), id('b', inGames)])).toEqual(['2', '3'])
      expect(await store.listKeys(owner, '')).toEqual(['a'])
      expect(await store.listKeys(owner, 'games')).toEqual(['a', 'b'])
      expect(await store.listKeys(owner, 'Games')).toEqual([])
      await write(remove('a'))
      expect(await store.listKeys(owner, 'games')).toEqual(['a', 'b'])
    })

    test('the boundary between collection and key is unambiguous', async () => {
      const { store, write, set, id } = await setUp()
      await write(set('b', '1', { collection: 'a' }), set('ab', '2'), set('","b', '3'))
      const ids = [id('b', { collection: 'a' }), id('ab'), id('","b'), id('b')]
      expect(await store.read(ids)).toEqual(['1', '2', '3', null])
    })

    test('deleting a user deletes that user’s entries, and no others', async () => {
      const { stranger, deleteUser, countEntries, write, read, set } = await setUp()
      await write(set('a', '1'), set('a', '2', { userKey: stranger }))
      await deleteUser(stranger)
      expect(await countEntries()).toBe(1)
      expect(await read('a')).toEqual(['1'])
    })

    test('a user who was deleted meanwhile does not harm the others of the group', async () => {
      const { store, stranger, deleteUser, countEntries, write, read, set, remove } = await setUp()
      await deleteUser(stranger)
      const outcomes = await write(
        set('a', '1', { userKey: stranger }),
        set('a', '2'),
        remove('b', { userKey: stranger }),
      )
      expect(outcomes).toHaveLength(3)
      expect(outcomes[1]).toBe('done')
      expect(await read('a')).toEqual(['2'])
      expect(await store.listKeys(stranger, '')).toEqual([])
      expect(await countEntries()).toBe(1)
    })
  })

  describe('the quota', () => {
    test('S32 of keys holds within a group and from one group to the next', async () => {
      const { store, owner, write, set } = await setUp({ entries: 2, bytes: 100 })
      expect(await write(set('a', '1'), set('b', '1'), set('c', '1'))).toEqual([
        'done',
        'done',
        'quota_exceeded',
      ])
      expect(await write(set('d', '1'), set('a', '2'))).toEqual(['quota_exceeded', 'done'])
      expect(await store.listKeys(owner, '')).toEqual(['a', 'b'])
    })

    test('S32 of bytes holds within a group and from one group to the next', async () => {
      const { write, read, set } = await setUp({ entries: 100, bytes: 10 })
      expect(await write(set('a', '"12345"'), set('b', '1234'), set('c', '123'))).toEqual([
        'done',
        'quota_exceeded',
        'done',
      ])
      expect(await write(set('d', '1'), set('c', '1234'))).toEqual([
        'quota_exceeded',
        'quota_exceeded',
      ])
      expect(await read('a', 'b', 'c', 'd')).toEqual(['"12345"', null, '123', null])
    })

    test('S32 counts the bytes of UTF-8', async () => {
      const { write, set } = await setUp({ entries: 100, bytes: 6 })
      expect(await write(set('a', '"👩"'))).toEqual(['done'])
      expect(await write(set('b', '1'))).toEqual(['quota_exceeded'])
      expect(await write(set('a', '"👩1"'))).toEqual(['quota_exceeded'])
    })

    test('S32 counts a user’s collections together', async () => {
      const { write, set } = await setUp({ entries: 2, bytes: 100 })
      await write(set('a', '1'), set('a', '1', { collection: 'games' }))
      expect(await write(set('a', '1', { collection: 'other' }))).toEqual(['quota_exceeded'])
    })

    test('S32 counts each user alone', async () => {
      const { stranger, write, set } = await setUp({ entries: 1, bytes: 100 })
      const outcomes = await write(
        set('a', '1'),
        set('a', '1', { userKey: stranger }),
        set('b', '1'),
        set('b', '1', { userKey: stranger }),
      )
      expect(outcomes).toEqual(['done', 'done', 'quota_exceeded', 'quota_exceeded'])
    })

    test('a delete and a smaller value make room, within a group too', async () => {
      const { write, set, remove } = await setUp({ entries: 2, bytes: 8 })
      await write(set('a', '1234'), set('b', '1234'))
      expect(await write(remove('a'), set('c', '1234'))).toEqual(['done', 'done'])
      expect(await write(set('b', '12'), set('c', '123456'))).toEqual(['done', 'done'])
      expect(await write(set('b', '123'))).toEqual(['quota_exceeded'])
    })

    test('past the quota, values may shrink, keep their size or go, but not grow', async () => {
      const { store, write, set, byDefault, remove } = await setUp()
      await write(set('a', '1234'), set('b', '1234'), set('c', '1234'))
      const smaller = { entries: 1, bytes: 2 }
      const outcomes = await store.write(
        [
          set('a', '123'),
          set('b', '5678'),
          set('b', '56789'),
          set('d', '1'),
          byDefault('e', '1'),
          byDefault('a', '12345'),
          remove('c'),
        ],
        smaller,
      )
      expect(outcomes).toEqual([
        'done',
        'done',
        'quota_exceeded',
        'quota_exceeded',
        'quota_exceeded',
        'done',
        'done',
      ])
    })

    test('S32 holds when a hundred write at once', async () => {
      const { store, owner, write, set } = await setUp({ entries: 5, bytes: 100 })
      const outcomes: (WriteOutcome | undefined)[] = await Promise.all(
        Array.from({ length: 100 }, async (_, i) => (await write(set(`key ${i}`, '1')))[0]),
      )
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5)
      expect(await store.listKeys(owner, '')).toHaveLength(5)
    })
  })
}
