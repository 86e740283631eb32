import type { ValueEntry } from '@astropelago/contract/island-runtime'
import { expect, test, vi } from 'vitest'
import { ada, scriptedServer } from './testing/scripted-server.ts'

const entry = (key: string, value: number | null, id = 'b2'): ValueEntry => ({
  key,
  value: value === null ? null : String(value),
  author: { id, name: 'Bo' },
})

/** A page that watches scores, with all that the listener gets. */
async function setUp(entries: readonly ValueEntry[]) {
  const server = await scriptedServer()
  const log: unknown[] = []
  const stop = server.spark.shared.watch('scores/', ({ key, value }) => log.push([key, value]))
  const first = await server.next()
  first.hello(ada)
  const { id, store, prefix } = await first.take('watch')
  expect([store, prefix]).toEqual(['shared', 'scores/'])
  first.send({ id, result: { entries, isWhole: true } })
  await vi.waitFor(() => expect(log).toHaveLength(entries.length))
  const change = (...changed: readonly ValueEntry[]) =>
    first.send({ push: 'changed', store: 'shared', entries: changed })
  return { ...server, log, stop, first, change }
}

test('a watch gets what is there, then each change of its store and prefix, once', async () => {
  const { log, first, change } = await setUp([entry('scores/a', 1)])
  first.send({ push: 'changed', store: 'host', entries: [entry('scores/a', 9)] })
  change(entry('other', 3), entry('scores/a', 2), entry('scores/a', 2), entry('scores/b', 5))
  change(entry('scores/a', null))
  await vi.waitFor(() =>
    expect(log).toEqual([
      ['scores/a', 1],
      ['scores/a', 2],
      ['scores/b', 5],
      ['scores/a', undefined],
    ]),
  )
})

test('after a lost connection, a watch gets what differs', async () => {
  const { log, first, next } = await setUp([entry('scores/a', 1), entry('scores/b', 2)])
  first.close()
  const second = await next()
  second.hello(ada)
  const { id } = await second.take('watch')
  // A change that the server told before its answer is newer than that.
  second.send({ push: 'changed', store: 'shared', entries: [entry('scores/c', 4)] })
  second.send({
    id,
    result: { entries: [entry('scores/b', 2), entry('scores/c', 3)], isWhole: true },
  })
  await vi.waitFor(() =>
    expect(log.slice(2)).toEqual([
      ['scores/a', undefined],
      ['scores/c', 3],
      ['scores/c', 4],
    ]),
  )
  second.send({ push: 'entries', store: 'shared', prefix: 'scores/', entries: [], isWhole: true })
  await vi.waitFor(() =>
    expect(log.slice(5)).toEqual([
      ['scores/b', undefined],
      ['scores/c', undefined],
    ]),
  )
})

test('watches of one prefix share a call, and the last one ends it', async () => {
  const { first, spark, change, log, stop } = await setUp([entry('scores/a', 1, 'a1')])
  const got: unknown[] = []
  const stopLate = spark.shared.watch('scores/', (one) => got.push(one))
  await vi.waitFor(() => expect(got).toHaveLength(1))
  expect(got[0]).toEqual({
    key: 'scores/a',
    value: 1,
    author: { id: 'a1', name: 'Bo' },
    isMine: true,
  })
  stop()
  stop()
  change(entry('scores/a', 2))
  await vi.waitFor(() => expect(got).toHaveLength(2))
  expect(log).toHaveLength(1)
  stopLate()
  expect(await first.take('unwatch')).toMatchObject({ prefix: 'scores/' })
  expect(first.received.map(({ call }) => call)).toEqual(['watch', 'unwatch'])
})

test('writes that were not answered are sent again, in their order', async () => {
  const { spark, next } = await scriptedServer()
  const writes = [spark.kv.set('a', 1), spark.kv.set('a', 2), spark.kv.delete('b')]
  const first = await next()
  first.hello(ada)
  const { id } = await first.take('set')
  await first.take('delete')
  first.send({ id, result: null })
  await writes[0]
  first.close()
  const second = await next()
  second.hello(ada)
  const again = [await second.take('set'), await second.take('delete')]
  expect(again).toMatchObject([
    { key: 'a', value: '2', store: 'kv' },
    { key: 'b', store: 'kv' },
  ])
  for (const call of again) second.send({ id: call.id, result: null })
  await Promise.all(writes)
  expect(second.received).toHaveLength(2)
})

test('a refusal has its code and sentence; what can’t be sent is refused here', async () => {
  const { spark, next } = await scriptedServer()
  const refused = spark.shared.set('a', 1)
  const connection = await next()
  connection.hello(ada)
  const { id } = await connection.take('set')
  connection.send({ id, error: { code: 'not_yours', message: 'Somebody else wrote this.' } })
  await expect(refused).rejects.toMatchObject({
    code: 'not_yours',
    message: 'Somebody else wrote this.',
  })
  await expect(spark.kv.set('a', undefined)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(spark.kv.set('a', 'x'.repeat(128 * 1024))).rejects.toMatchObject({
    code: 'too_large',
  })
  await expect(spark.room('chat').send('ü'.repeat(2048))).rejects.toMatchObject({
    code: 'too_large',
  })
  await expect(spark.llm('x'.repeat(270_000))).rejects.toMatchObject({ code: 'too_large' })
})

test('after a lost connection, what an answer had no room for is not taken for deleted', async () => {
  const { log, first, next } = await setUp([entry('scores/a', 1), entry('scores/b', 2)])
  first.close()
  const second = await next()
  second.hello(ada)
  const { id } = await second.take('watch')
  second.send({ id, result: { entries: [entry('scores/b', 3)], isWhole: false } })
  await vi.waitFor(() => expect(log.slice(2)).toEqual([['scores/b', 3]]))
})

test('once the visitor says who they are, a watch tells again which entries are theirs', async () => {
  const server = await scriptedServer()
  const log: unknown[] = []
  server.spark.shared.watch('', ({ key, isMine }) => log.push([key, isMine]))
  const first = await server.next()
  first.hello(null)
  const result = { entries: [entry('a', 1, ada.id), entry('b', 1)], isWhole: true }
  first.send({ id: (await first.take('watch')).id, result })
  await vi.waitFor(() => expect(log).toHaveLength(2))
  first.close()
  const second = await server.next()
  second.hello(ada)
  second.send({ id: (await second.take('watch')).id, result })
  await vi.waitFor(() =>
    expect(log).toEqual([
      ['a', false],
      ['b', false],
      ['a', true],
    ]),
  )
})
