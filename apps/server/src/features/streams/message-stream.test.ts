import type { OwnMessage } from '@astropelago/contract/streams'
import { expect, test } from 'vitest'
import { eventStream, type EventStreamReader } from '../../http/event-stream.ts'
import { MessageStream } from './message-stream.ts'

/** A stream whose timers are run by hand, and what its reader was given. */
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

test('S22 who is cut off is told nothing of what waits, or comes later', async () => {
  const { stream, reader, given, runTimers } = setUp()
  stream.open(reader)
  stream.tell({ type: 'devices' })
  stream.cutOff()
  expect(given).toEqual(['end'])
  stream.tell({ type: 'islands' })
  await runTimers()
  await stream.beat()
  expect(given.filter((one) => one !== 'end')).toEqual([])
})

test('S22 a connection ends as it begins where its reader was cut off before', async () => {
  const { stream, reader, given, runTimers } = setUp()
  stream.tell({ type: 'devices' })
  stream.cutOff()
  stream.open(reader)
  await runTimers()
  expect(given).toEqual(['end'])
})

test('S22 who may not read any more is told nothing of what waits, and their connection ends', async () => {
  const { stream, reader, given, runTimers, endSession } = setUp()
  stream.open(reader)
  stream.tell({ type: 'devices' })
  endSession()
  await runTimers()
  expect(given).toEqual(['end'])
})
