import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventStreamTransport } from './event-stream-transport.ts'

/** Opens one connection to a server with this answer, and records what the transport reports. */
function openTo(answer: (signal: AbortSignal | null | undefined) => Promise<Response>) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    asked.push({ url, init })
    return answer(init?.signal)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const told: unknown[] = []
  const ended = Promise.withResolvers<number>()
  const close = eventStreamTransport.open('e-1', {
    onOpen: () => told.push('open'),
    onMessages: (texts) => told.push(...texts.map((text) => ({ text }))),
    onBeat: () => told.push('beat'),
    onEnd: (retryAfterMs) => {
      told.push('end')
      ended.resolve(retryAfterMs)
    },
  })
  const texts = () => told.flatMap((each) => (typeof each === 'object' ? [each] : []))
  return { asked, told, texts, ended: ended.promise, close }
}

function streaming(...pieces: readonly string[]): Promise<Response> {
  const text = new ReadableStream<string>({
    start: (stream) => {
      for (const piece of pieces) stream.enqueue(piece)
      stream.close()
    },
  })
  return Promise.resolve(new Response(text.pipeThrough(new TextEncoderStream())))
}

test('it asks for what comes after the sequence, without cookies, past the cache and behind what the page needs', async () => {
  const { asked, told, ended } = openTo(() => streaming())
  expect(await ended).toBe(0)
  expect(told).toEqual(['open', 'end'])
  expect(asked).toMatchObject([
    {
      url: '/api/devices/stream?since=e-1',
      init: { credentials: 'omit', cache: 'no-store', priority: 'low' },
    },
  ])
})

const line = fc.string({ minLength: 1 }).map((text) => text.replace(/[\r\n]/g, '_'))

test('messages are the same however the stream is cut, among beats, ids and retry lines', async () => {
  const event = fc.tuple(line, fc.constantFrom('\n', '\r\n'), fc.boolean())
  const cut = fc.infiniteStream(fc.integer({ min: 1, max: 9 }))
  await fc.assert(
    fc.asyncProperty(fc.array(event), cut, async (all, cuts) => {
      const stream = all
        .map(([text, end, isNamed], index) => {
          const id = isNamed ? `id: e-${index}${end}` : ''
          return `:${end}${end}retry: 3000${end}${end}${id}data: ${text}${end}${end}`
        })
        .join('')
      const pieces: string[] = []
      for (let at = 0; at < stream.length;) {
        const length = cuts.next().value
        pieces.push(stream.slice(at, at + length))
        at += length
      }
      const { texts, ended } = openTo(() => streaming(...pieces))
      await ended
      expect(texts()).toEqual(all.map(([text]) => ({ text })))
    }),
  )
})

test('a beat is heard, and what is not ended by an empty line is no message yet', async () => {
  const { told, ended } = openTo(() => streaming(':\n\n', 'data: a\n', 'data:b\n\n', 'data: c\n'))
  await ended
  expect(told).toEqual(['open', 'beat', 'beat', 'beat', { text: 'a\nb' }, 'beat', 'end'])
})

test('a refusal ends it before it opens, and says how long to stay away', async () => {
  const { told, ended } = openTo(() =>
    Promise.resolve(new Response('no', { status: 429, headers: { 'retry-after': '30' } })),
  )
  expect(await ended).toBe(30_000)
  expect(told).toEqual(['end'])
})

test('a connection that can’t be made ends', async () => {
  const { told, ended } = openTo(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await ended).toBe(0)
  expect(told).toEqual(['end'])
})

test('closed, it ends the call and tells nothing more', async () => {
  const aborted = Promise.withResolvers<void>()
  const { told, close } = openTo((signal) => {
    const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (stream) => {
        signal?.addEventListener('abort', () => {
          stream.enqueue(new TextEncoder().encode('data: late\n\n'))
          stream.close()
          aborted.resolve()
        })
      },
    })
    return Promise.resolve(new Response(pieces))
  })
  await vi.waitFor(() => expect(told).toEqual(['open']))
  close()
  await aborted.promise
  // Give the stream time to pass on what it holds.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  expect(told).toEqual(['open'])
})
