import { expect, test, vi } from 'vitest'
import { createIslandSpark, installIslandSpark } from './island-spark.ts'
import { localServer } from './local-server.ts'
import { ada, scriptedServer } from './testing/scripted-server.ts'

function setUp() {
  const page = new EventTarget()
  const spark = createIslandSpark(localServer(), page, new EventTarget())
  /** Loses the connection, and has another one. */
  const reconnect = () => {
    page.dispatchEvent(new Event('pagehide'))
    page.dispatchEvent(new Event('pageshow'))
  }
  return { spark, reconnect }
}

test('the stand-in keeps values of any kind under any key', async () => {
  const { spark } = setUp()
  const values = [null, 0, '', [1, { a: 'b' }], 'ü🙂']
  for (const store of [spark.kv, spark.shared, spark.host]) {
    for (const [index, value] of values.entries()) await store.set(`k/${index}`, value)
    expect(await Promise.all(values.map((_, index) => store.get(`k/${index}`)))).toEqual(values)
    await store.delete('k/0')
    expect(await store.keys()).toEqual(['k/1', 'k/2', 'k/3', 'k/4'])
    expect(await store.get('k/0')).toBeUndefined()
    expect(await store.entries('k/3')).toEqual([
      { key: 'k/3', value: [1, { a: 'b' }], author: { id: 'you', name: 'you' }, isMine: true },
    ])
  }
})

test('watches and rooms of the stand-in go on after a lost connection', async () => {
  const { spark, reconnect } = setUp()
  const log: unknown[] = []
  spark.shared.watch('', ({ key, value }) => log.push([key, value]))
  const room = spark.room('chat')
  room.onMessage(({ id, value, isMine }) => log.push([id, value, isMine]))
  room.onRemove((id) => log.push(-id))
  await spark.shared.set('a', 1)
  await room.send('ahoy')
  const writes = [spark.shared.delete('a'), room.send('again')]
  reconnect()
  await Promise.all(writes)
  await room.remove(1)
  const expected = [['a', 1], [1, 'ahoy', true], [2, 'again', true], ['a', undefined], -1]
  await vi.waitFor(() => expect(log).toEqual(expected))
})

test('the stand-in has no language model, and says so', async () => {
  const { spark } = setUp()
  await expect(spark.llm(spark.llmPrompt`Hi ${'you'}`)).rejects.toMatchObject({ code: 'llm_off' })
})

test('the user is null, then who the visitor said to be', async () => {
  const { spark, next } = await scriptedServer()
  const asked = [spark.user(), spark.user()]
  const connection = await next()
  connection.hello()
  connection.send({ id: (await connection.take('user')).id, result: null })
  connection.send({ id: (await connection.take('user')).id, result: ada })
  expect(await Promise.all(asked)).toEqual([
    null,
    {
      id: 'a1',
      name: 'Ada',
      username: 'a1',
      login: 'a1',
      avatar: null,
      avatarUrl: null,
      isHost: false,
    },
  ])
})

test('a prompt is sent as on the site, and the first choice is the answer', async () => {
  const { spark, next } = await scriptedServer()
  const asked = spark.llm('Greet me', 'gpt-4o-mini', true)
  const connection = await next()
  connection.hello(ada)
  const { id, request } = await connection.take('llm')
  expect(request).toMatchObject({
    model: 'openai/gpt-4o-mini',
    messages: [{ role: 'system' }, { role: 'user', content: 'Greet me' }],
    response_format: { type: 'json_object' },
  })
  connection.send({ id, result: { choices: [{ message: { content: 'Ahoy' } }] } })
  expect(await asked).toBe('Ahoy')
})

test('a page gets spark once, even if an element has its name', () => {
  const page = Object.create({ spark: 'an element' })
  vi.stubGlobal('window', page)
  const { spark } = setUp()
  installIslandSpark(() => spark)
  installIslandSpark(() => setUp().spark)
  expect(page.spark).toBe(spark)
  vi.unstubAllGlobals()
})
