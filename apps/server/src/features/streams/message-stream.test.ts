import type { OwnMessage } from '@astropelago/contract/streams'
import { expect, test } from 'vitest'
import { eventStream, type EventStreamReader } from '../../http/event-stream.ts'
import { MessageStream } from './message-stream.ts'

/** A stream whose timers run by hand, and what its reader received. */
function setUp() {
  const timers: (() => void)[] = []
  const given: string[] = []
  let mayRead = true
  const stream = new MessageStream<OwnMessage>({
    mayRead: async () => mayRead,
    after: (_, act) => void timers.push(act),
  })
  const reader: EventStreamReader = {
    encoding: eventStream,
    write: (bytes) => void given.push(bytes.toString()),
    unreadBytes: () => 0,
    end: () => void given.push('end'),
    destroy: () => void given.push('destroy'),
  }
  const runTimers = async () => {
    for (const act of timers.splice(0)) act()
    await Promise.resolve()
  }
  const endSession = () => {
    mayRead = false
  }
  return { stream, reader, given, runTimers, endSession }
}

test('S22 a reader that is cut off receives no message that waits or comes later', async () => {
  const { stream, reader, given, runTimers } = setUp()
  stream.open(reader, false)
  stream.send({ type: 'devices' })
  stream.cutOff()
  expect(given).toEqual(['end'])
  stream.send({ type: 'islands' })
  await runTimers()
  await stream.beat()
  expect(given.filter((one) => one !== 'end')).toEqual([])
})

test('S22 a reader that was cut off before its connection opens is disconnected at once', async () => {
  const { stream, reader, given, runTimers } = setUp()
  stream.send({ type: 'devices' })
  stream.cutOff()
  stream.open(reader, false)
  await runTimers()
  expect(given).toEqual(['end'])
})

test('S22 a reader that may not read any more receives no waiting message and is disconnected', async () => {
  const { stream, reader, given, runTimers, endSession } = setUp()
  stream.open(reader, false)
  stream.send({ type: 'devices' })
  endSession()
  await runTimers()
  expect(given).toEqual(['end'])
})
