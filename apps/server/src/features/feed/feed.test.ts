import { describe, expect, test } from 'vitest'
import { PublicMessages } from '../../public-messages.ts'
import { eventStream } from '../../http/event-stream.ts'
import { Feed, unreadBytesMax } from './feed.ts'
import { testReader } from './testing/test-reader.ts'
import { webSocketFrames } from './web-socket-reader.ts'

/** A feed of devices held here, whose batches of messages end when the test says so. */
function setUp() {
  const devices = new Map<number, object>()
  const seals: (() => void)[] = []
  const feed = new Feed('e')
  const messages = new PublicMessages({ feed, afterBatchTime: (seal) => seals.push(seal) })
  const ofDevices = messages.of('device', (key) => {
    const device = devices.get(key)
    return device && Buffer.from(JSON.stringify(device))
  })
  const put = (key: number, details: object = {}) => {
    devices.set(key, deviceOf(key, details))
    ofDevices.note(key, 'changed')
  }
  const remove = (key: number) => {
    devices.delete(key)
    ofDevices.note(key, { removedId: `id-${key}` })
  }
  const endBatch = () => {
    for (const seal of seals.splice(0)) seal()
  }
  const list = () => ({
    sequence: messages.seal(),
    json: Buffer.from(JSON.stringify([...devices.values()])),
  })
  return { feed, messages, put, remove, endBatch, list, seals }
}

function deviceOf(key: number, details: object = {}) {
  const same = { lat: 1, lon: 2, status: 'online', link: null }
  return { id: `id-${key}`, label: `Device ${key}`, ...same, ...details }
}

const told = (key: number, sequence: string, details: object = {}) => ({
  message: { type: 'device', payload: deviceOf(key, details), sequence },
  sequence,
})
const removed = (key: number, sequence: string) => ({
  message: { type: 'device-removed', payload: { id: `id-${key}` }, sequence },
  sequence,
})
const reload = { message: { type: 'reload' }, sequence: undefined }

describe('[P7] a change', () => {
  test('is sent once, to all readers, at the end of its batch', () => {
    const { feed, put, endBatch } = setUp()
    const readers = [testReader(), testReader(webSocketFrames)]
    for (const reader of readers) feed.resume(reader, 'e-0')
    put(1)
    put(2)
    expect(readers[0]?.received()).toEqual([])
    endBatch()
    endBatch()
    for (const reader of readers) {
      expect(reader.received()).toEqual([told(1, 'e-1'), told(2, 'e-2')])
    }
  })

  test('is sent together with an earlier change of the same device in its batch', () => {
    const { feed, put, endBatch } = setUp()
    const reader = testReader()
    feed.resume(reader, 'e-0')
    put(1)
    put(2)
    put(1, { label: 'Roof' })
    endBatch()
    expect(reader.received()).toEqual([told(1, 'e-1', { label: 'Roof' }), told(2, 'e-2')])
  })

  test('shares the wait for its batch with all others', () => {
    const { put, endBatch, seals } = setUp()
    put(1)
    put(2)
    expect(seals).toHaveLength(1)
    endBatch()
    put(1)
    expect(seals).toHaveLength(1)
  })

  test.each<[string, (acts: ReturnType<typeof setUp>) => void, object[]]>([
    ['removed', ({ remove }) => remove(1), [removed(1, 'e-2')]],
    ['changed, then removed', ({ put, remove }) => (put(1), remove(1)), [removed(1, 'e-2')]],
    ['removed, then back', ({ put, remove }) => (remove(1), put(1)), [told(1, 'e-2')]],
    [
      'removed, back, removed',
      ({ put, remove }) => (remove(1), put(1), remove(1)),
      [removed(1, 'e-2')],
    ],
    [
      'another one added, then removed, which lists of other servers may have had',
      ({ put, remove }) => (put(2), remove(2)),
      [removed(2, 'e-2')],
    ],
    [
      'another one added, removed and added',
      ({ put, remove }) => (put(2), remove(2), put(2)),
      [told(2, 'e-2')],
    ],
  ])('in one batch: %s', (_, act, expected) => {
    const acts = setUp()
    acts.put(1)
    acts.endBatch()
    const reader = testReader()
    acts.feed.resume(reader, 'e-1')
    act(acts)
    acts.endBatch()
    expect(reader.received()).toEqual(expected)
    expect(acts.messages.seal()).toBe(`e-${1 + expected.length}`)
  })
})

describe('[P7] a reader with a sequence', () => {
  test.each([
    ['e-0', [1, 2, 3]],
    ['e-1', [2, 3]],
    ['e-2', [3]],
    ['e-3', []],
  ])('%s gets what it missed, also from within a batch, and then what comes', (since, missed) => {
    const { feed, put, endBatch } = setUp()
    put(1)
    put(2)
    endBatch()
    put(3)
    endBatch()
    const reader = testReader()
    feed.resume(reader, since)
    put(4)
    endBatch()
    expect(reader.received()).toEqual([...missed, 4].map((key) => told(key, `e-${key}`)))
  })

  test.each([
    '',
    'e',
    'e-',
    'e--1',
    'e-1.0',
    'e-01',
    'e-1 ',
    'x-1',
    'e-4',
    'e-1e0',
    `e-${'9'.repeat(400)}`,
  ])('(%j) from elsewhere makes its reader reload, and its connection ends', (since) => {
    const { feed, put, endBatch } = setUp()
    put(1)
    put(2)
    put(3)
    endBatch()
    const reader = testReader()
    expect(feed.knows(since)).toBe(false)
    feed.resume(reader, since)
    put(4)
    endBatch()
    expect(reader.received()).toEqual([reload])
    expect(reader.ended()).toBe('reload')
    expect(feed.readerCount).toBe(0)
  })

  test('reloads if it is too old, and otherwise resumes', () => {
    const { feed, put, endBatch } = setUp()
    const label = 'x'.repeat(10_000)
    for (let i = 0; i < 1000; i += 1) {
      put(i, { label })
      endBatch()
    }
    expect(feed.knows('e-0')).toBe(false)
    expect(feed.knows('e-600')).toBe(false)
    expect(feed.knows('e-800')).toBe(true)
    expect(feed.knows('e-1000')).toBe(true)
  })
})

test('[P7] a reader without a sequence gets the list, what came after it, and all later messages', () => {
  const { feed, put, list, endBatch } = setUp()
  put(1)
  const older = list()
  put(2)
  endBatch()
  for (const encoding of [webSocketFrames, testReader().encoding]) {
    const reader = testReader(encoding)
    feed.start(reader, older)
    const [first, ...rest] = reader.received()
    expect(first?.message).toEqual([deviceOf(1)])
    expect(rest).toEqual([told(2, 'e-2')])
  }
})

test('a list longer than 64 KiB arrives whole', () => {
  const { feed, put, list } = setUp()
  for (let key = 1; key <= 1000; key += 1) put(key)
  for (const encoding of [webSocketFrames, testReader().encoding]) {
    const reader = testReader(encoding)
    feed.start(reader, list())
    expect(reader.received()[0]?.message).toHaveLength(1000)
  }
})

describe('[P8] messages about a device that is no longer public', () => {
  test('are not sent again, except that it is removed', () => {
    const { feed, put, remove, endBatch } = setUp()
    put(1, { label: 'secret' })
    put(2)
    endBatch()
    put(1, { label: 'secret' })
    endBatch()
    remove(1)
    endBatch()
    for (const since of ['e-0', 'e-1', 'e-2', 'e-3']) {
      const reader = testReader()
      feed.resume(reader, since)
      expect(reader.written().toString()).not.toContain('secret')
      expect(reader.received().at(-1)).toEqual(removed(1, 'e-4'))
    }
  })

  test('are not sent if it is removed before its batch ends', () => {
    const { feed, put, remove, endBatch } = setUp()
    const reader = testReader()
    feed.resume(reader, 'e-0')
    put(1)
    remove(1)
    endBatch()
    expect(reader.received()).toEqual([removed(1, 'e-1')])
  })
})

describe('S37 [P7] a reader that reads too slowly', () => {
  const bigChange = { label: 'x'.repeat(200_000) }

  test('receives reload once too much waits, and its connection ends', () => {
    const { feed, put, endBatch } = setUp()
    const [slow, quick] = [testReader(), testReader()]
    for (const reader of [slow, quick]) feed.resume(reader, 'e-0')
    slow.setStalled(true)
    for (let i = 0; i < 20; i += 1) {
      put(1, bigChange)
      endBatch()
    }
    expect(slow.unreadBytes()).toBeLessThan(unreadBytesMax + 300_000)
    expect(slow.received().at(-1)).toEqual(reload)
    expect(slow.ended()).toBe('slow')
    expect(quick.received()).toHaveLength(20)
    feed.beat()
    expect(slow.ended()).toBe('slow destroyed')
    feed.leave(slow)
    feed.beat()
    expect(slow.ended()).toBe('slow destroyed')
  })

  test('has time to read a long greeting, and afterwards no more than other readers', () => {
    const { feed, put, endBatch, list } = setUp()
    for (let key = 0; key < 20; key += 1) put(key, bigChange)
    const reader = testReader()
    reader.setStalled(true)
    feed.start(reader, list())
    for (let i = 0; i < 3; i += 1) {
      put(1)
      endBatch()
    }
    expect(reader.ended()).toBeUndefined()
    reader.setStalled(false)
    put(1)
    endBatch()
    reader.setStalled(true)
    for (let i = 0; i < 10; i += 1) {
      put(1, bigChange)
      endBatch()
    }
    expect(reader.ended()).toBe('slow')
  })
})

test('more changes at once than are worth sending become a reload, and nothing before them is known', () => {
  const { feed, messages, put, endBatch } = setUp()
  const reader = testReader()
  feed.resume(reader, 'e-0')
  for (let key = 0; key <= 20_000; key += 1) put(key)
  endBatch()
  expect(reader.received()).toEqual([reload])
  expect(feed.knows('e-0')).toBe(false)
  const sequence = messages.seal()
  expect(feed.knows(sequence)).toBe(true)
  expect(messages.isCurrent(sequence)).toBe(true)
})

test('a sequence is current until something changes', () => {
  const { messages, put } = setUp()
  expect(messages.isCurrent('e-0')).toBe(true)
  put(1)
  expect(messages.isCurrent('e-0')).toBe(false)
  expect(messages.isCurrent(messages.seal())).toBe(true)
})

test('each start of the server has its own epoch', () => {
  const [one, other] = [new Feed(), new Feed()]
  expect(one.sequence).toMatch(/^[\w-]{8}-0$/)
  expect(one.knows(other.sequence)).toBe(false)
})

test.each([
  [testReader().encoding, '3\r\n:\n\n\r\n'],
  [eventStream, ':\n\n'],
  [webSocketFrames, '\x89\0'],
])('a beat is no message', (encoding, bytes) => {
  const { feed } = setUp()
  const reader = testReader(encoding)
  feed.resume(reader, 'e-0')
  feed.beat()
  expect(reader.written()).toEqual(Buffer.from(bytes, 'latin1'))
})

test('S45 the end of the server ends every connection', () => {
  const { feed, put, endBatch } = setUp()
  const readers = [testReader(), testReader(webSocketFrames)]
  for (const reader of readers) feed.resume(reader, 'e-0')
  feed.end()
  put(1)
  endBatch()
  expect(readers.map((reader) => reader.ended())).toEqual(['shutdown', 'shutdown'])
  expect(feed.readerCount).toBe(0)
})
