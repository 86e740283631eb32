import { duplexPair } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { KeptStreams } from './kept-streams.ts'

const soon = { timeout: 5000, interval: 1 }

function setUp() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const [near, far] = duplexPair()
  const atHome: FrameStream[] = []
  const onEnd = () => undefined
  const home = new FrameSession(far, { onOpen: (stream) => atHome.push(stream), onEnd })
  const session = new FrameSession(near, { onEnd })
  const kept = new KeptStreams()
  onTestFinished(() => {
    kept.end()
    for (const one of [home, session]) one.end()
    vi.useRealTimers()
  })
  /** Opens a stream and keeps it, as after an answer. */
  const keep = async (seconds?: number) => {
    const stream = session.open('http')
    stream.isStrict = true
    await vi.waitFor(() => expect(atHome).toHaveLength(stream.id), soon)
    kept.keep(stream, seconds)
    await setImmediate()
    return stream
  }
  return { kept, keep, atHome, session }
}

test('[A21] the stream that was used last is taken first, each once', async () => {
  const { kept, keep } = setUp()
  const streams = [await keep(), await keep()]
  expect(kept.count).toBe(2)
  expect([kept.take(), kept.take(), kept.take()]).toEqual([...streams.toReversed(), undefined])
})

test('[A21] at most 32 streams are kept', async () => {
  const { kept, keep } = setUp()
  for (let count = 0; count < 40; count += 1) await keep()
  expect(kept.count).toBe(32)
})

test.each([
  [undefined, 4000],
  [60, 4000],
  [5, 4000],
  [2, 1000],
])('[A21] a stream of a service that waits for %s s is kept for %i ms', async (seconds, ms) => {
  const { kept, keep, session } = setUp()
  const stream = await keep(seconds)
  vi.advanceTimersByTime(ms - 1)
  expect(kept.take()).toBe(stream)
  kept.keep(stream, seconds)
  await setImmediate()
  vi.advanceTimersByTime(ms)
  expect(kept.take()).toBeUndefined()
  await vi.waitFor(() => expect(session.streamCount).toBe(0), soon)
})

test.each([0, 1])('[A21] no stream of a service that waits for %i s is kept', async (seconds) => {
  const { kept, keep } = setUp()
  const stream = await keep(seconds)
  expect([kept.count, kept.take(), stream.destroyed]).toEqual([0, undefined, true])
})

test('[A21] a stream on which something arrives is not kept', async () => {
  const { kept, keep, atHome } = setUp()
  const stream = await keep()
  atHome[0]?.accept()
  atHome[0]?.write('HTTP/1.1 200 OK\r\n')
  await vi.waitFor(() => expect(stream.destroyed).toBe(true), soon)
  expect([kept.count, kept.take()]).toEqual([0, undefined])
})

test('[A7] no stream is kept any more once no more requests come', async () => {
  const { kept, keep } = setUp()
  const before = await keep()
  kept.end()
  const after = await keep()
  expect([before.destroyed, after.destroyed, kept.count]).toEqual([true, true, 0])
})
