import type { RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createConnection } from './connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
})

/** A connection whose wires the test moves by hand. */
function setUp() {
  const wires: ReturnType<typeof makeWire>[] = []
  const page = new EventTarget()
  const connection = createConnection((events) => {
    const wire = makeWire(events)
    wires.push(wire)
    return wire
  }, page)
  const last = () => {
    const wire = wires.at(-1)
    if (wire === undefined) throw new Error('There is no wire')
    return wire
  }
  return { connection, page, wires, last }
}

function makeWire(events: Parameters<Parameters<typeof createConnection>[0]>[0]) {
  const sent: string[] = []
  const deliver = (answer: RuntimeAnswer) => events.onMessage(JSON.stringify(answer))
  return {
    sent,
    isClosed: false,
    send: (text: string) => sent.push(text),
    close() {
      this.isClosed = true
    },
    lose: (code = 1006) => events.onClose(code),
    deliver,
    hello: () =>
      deliver({
        push: 'hello',
        user: null,
        island: { slug: 'lounge', name: 'The lounge' },
        site: { url: 'https://sky.example', name: 'Sky' },
      }),
  }
}

const keys = { call: 'keys', store: 'kv' } as const

test('nothing is connected before the first call', () => {
  const { connection, page, wires } = setUp()
  page.dispatchEvent(new Event('pagehide'))
  page.dispatchEvent(new Event('pageshow'))
  connection.renew()
  expect(wires).toHaveLength(0)
  connection.start()
  expect(wires).toHaveLength(1)
})

test('lost connections come back after 0.5 s, doubling to 15 s', () => {
  const { connection, wires, last } = setUp()
  connection.start()
  for (const delayMs of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = wires.length
    last().lose()
    vi.advanceTimersByTime(delayMs - 1)
    expect(wires).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(wires).toHaveLength(before + 1)
  }
  // A connection that lasts starts again at the beginning, and one that is lost at once does not.
  last().hello()
  last().lose()
  vi.advanceTimersByTime(14_999)
  expect(wires).toHaveLength(8)
  vi.advanceTimersByTime(1)
  last().hello()
  vi.advanceTimersByTime(20_000)
  last().lose()
  vi.advanceTimersByTime(500)
  expect(wires).toHaveLength(10)
})

test('the delay differs between pages, and a page that is back online does not wait', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { connection, page, wires, last } = setUp()
  connection.start()
  last().lose()
  vi.advanceTimersByTime(250)
  expect(wires).toHaveLength(2)
  last().lose()
  page.dispatchEvent(new Event('online'))
  expect(wires).toHaveLength(3)
  page.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(500)
  expect(wires).toHaveLength(3)
})

test.each([
  [4003, 'shut'],
  [1008, 'unwanted'],
])('after close code %i nothing is tried again, and calls are refused', async (code, refusal) => {
  const { connection, wires, last } = setUp()
  const onEnd = vi.fn<() => void>()
  connection.handle({ ended: onEnd })
  const call = connection.call<'keys'>(keys)
  last().hello()
  last().lose(code)
  await expect(call).rejects.toMatchObject({ code: refusal })
  await expect(connection.call<'keys'>(keys)).rejects.toMatchObject({ code: refusal })
  vi.advanceTimersByTime(60_000)
  expect(wires).toHaveLength(1)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a call waits 10 s for a connection, and as long as it takes on one', async () => {
  const { connection, last } = setUp()
  const early = connection.call<'keys'>(keys)
  const failure = vi.fn<(error: unknown) => void>()
  early.catch(failure)
  await vi.advanceTimersByTimeAsync(9999)
  expect(failure).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failure.mock.calls).toMatchObject([[{ code: 'offline' }]])

  const call = connection.call<'keys'>(keys)
  last().hello()
  expect(last().sent).toEqual([JSON.stringify({ id: 2, ...keys })])
  await vi.advanceTimersByTimeAsync(15_000)
  last().lose()
  await vi.advanceTimersByTimeAsync(500)
  last().hello()
  last().deliver({ id: 2, result: ['a'] })
  expect(await call).toEqual(['a'])
})

test('of many calls, 32 are under way at once, in their order', async () => {
  const { connection, last } = setUp()
  const calls = Array.from({ length: 100 }, () => connection.call<'keys'>(keys))
  last().hello()
  expect(last().sent).toHaveLength(32)
  last().deliver({ id: 1, result: [] })
  last().deliver({ id: 0, result: null })
  expect(last().sent).toHaveLength(33)
  last().lose()
  await vi.advanceTimersByTimeAsync(500)
  last().hello()
  expect(last().sent.map((text) => Number(/\d+/.exec(text)))).toEqual(
    Array.from({ length: 32 }, (_, index) => index + 2),
  )
  for (let id = 2; id <= 100; id += 1) last().deliver({ id, result: [] })
  expect(await Promise.all(calls)).toHaveLength(100)
  expect(last().sent).toHaveLength(99)
})

test('a quiet connection is tried out, and replaced if it does not answer', () => {
  const { connection, wires, last } = setUp()
  const lost = vi.fn<() => void>()
  const hello = vi.fn<() => void>()
  connection.handle({ lost, hello })
  connection.start()
  last().hello()
  vi.advanceTimersByTime(20_000)
  expect(last().sent).toEqual(['{"id":0,"call":"user"}'])
  last().deliver({ id: 0, result: null })
  vi.advanceTimersByTime(20_000)
  expect(last().sent).toHaveLength(2)
  vi.advanceTimersByTime(20_000)
  expect(wires.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(lost).toHaveBeenCalledOnce()
  // Nothing comes from a connection that was given up.
  wires[0]?.hello()
  wires[0]?.lose()
  vi.advanceTimersByTime(10_000)
  expect(wires).toHaveLength(2)
  expect(hello).toHaveBeenCalledOnce()
})

test('a hidden page has no connection; a restored one has, with what it had asked', async () => {
  const { connection, page, wires, last } = setUp()
  const call = connection.call<'keys'>(keys)
  last().hello()
  page.dispatchEvent(new Event('pagehide'))
  expect(last().isClosed).toBe(true)
  connection.renew()
  await vi.advanceTimersByTimeAsync(9000)
  expect(wires).toHaveLength(1)
  page.dispatchEvent(new Event('pageshow'))
  await vi.advanceTimersByTimeAsync(9000)
  last().hello()
  expect(last().sent).toEqual(wires[0]?.sent)
  last().deliver({ id: 1, result: [] })
  expect(await call).toEqual([])
})

test('a passing refusal of what a page reads all along is asked again after a while', () => {
  const { connection, wires, last } = setUp()
  const ask = () => connection.callOnce<'watch'>({ call: 'watch', store: 'kv', prefix: '' })
  connection.handle({ hello: ask })
  connection.start()
  last().hello()
  last().deliver({ id: 1, error: { code: 'overloaded', message: 'Busy' } })
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(500)
  last().hello()
  expect(last().sent).toHaveLength(1)
})
