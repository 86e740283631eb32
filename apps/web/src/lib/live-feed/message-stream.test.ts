import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MessageStream } from './message-stream.ts'
import { FakePage } from './testing/set-up-feed.ts'

const Message = v.variant('type', [
  v.object({ type: v.literal('hello'), to: v.string() }),
  v.object({ type: v.literal('reload') }),
])
type Message = v.InferOutput<typeof Message>

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.unstubAllGlobals())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A stream from a server that answers with the next of these, and refuses after the last. */
function setUp(answers: readonly (readonly string[])[]) {
  const waiting = [...answers]
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const texts = waiting.shift()
    if (texts === undefined) throw new TypeError('Failed to fetch')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        bodies.push(controller)
        controller.enqueue(
          new TextEncoder().encode(texts.map((text) => `data: ${text}\n\n`).join('')),
        )
      },
    })
    return new Response(body)
  })
  vi.stubGlobal('fetch', fetch)
  const page = new FakePage()
  const stream = new MessageStream<Message>({
    url: '/stream',
    schema: Message,
    page,
    random: () => 1,
  })
  const received: string[] = []
  const stop = stream.read((message) =>
    received.push(message.type === 'hello' ? message.to : '(all)'),
  )
  const cut = () => bodies.at(-1)?.close()
  return { page, stream, received, stop, cut, calls: () => fetch.mock.calls.length }
}

test('readers get known messages, and ask again after each further connect', async () => {
  const { received, cut, calls } = setUp([
    ['{"type":"hello","to":"Ada"}', '{"type":"later"}', 'nonsense'],
    ['{"type":"hello","to":"Eve"}'],
  ])
  await pass(0)
  expect(received).toEqual(['Ada'])
  cut()
  await pass(1000)
  expect(received).toEqual(['Ada', '(all)', 'Eve'])
  expect(calls()).toBe(2)
})

test('without a stream, readers ask again every 5 s unless the page is hidden', async () => {
  const { page, received, stop } = setUp([])
  await pass(10_000)
  expect(received).toEqual(['(all)', '(all)'])
  page.show(false)
  await pass(60_000)
  received.length = 0
  await pass(60_000)
  expect(received).toEqual([])
  page.show(true)
  await pass(10_000)
  expect(received).toEqual(['(all)', '(all)'])
  stop()
  await pass(60_000)
  expect(received).toHaveLength(2)
})

test('all readers share one connection, which ends after the last', async () => {
  const { stream, stop, calls } = setUp([[], []])
  const leave = stream.read(() => undefined)
  await pass(0)
  expect(calls()).toBe(1)
  stop()
  // The silence of the server replaces a connection that somebody still reads.
  await pass(20_000)
  expect(calls()).toBe(2)
  leave()
  await pass(60_000)
  expect(calls()).toBe(2)
})
