import { expect, test } from 'vitest'
import { chunkedEventStream } from '../../../http/event-stream.ts'
import { PublicMessages } from '../../../public-messages.ts'
import { SharedKeys } from '../../../shared-keys.ts'
import { Feed, unreadBytesMax } from '../../feed/feed.ts'
import { testReader } from '../../feed/testing/test-reader.ts'
import { importKey, newPrivateKey, readStatement, signerOf } from '../statements.ts'
import { directoryStream } from './directory-stream.ts'
import { sharedSubjects } from './shared-subjects.ts'

function installationOf(epoch: number | undefined, signer = signerOf(newPrivateKey())) {
  return { signer, keyNumber: 1, keyChanges: [], epochOf: () => epoch }
}

function deviceOf(key: number) {
  const place = { lat: 1, lon: 2, status: 'online' as const, link: 'https://own.example/' }
  return { id: `id-${key}`, label: 'Pi', ...place, publicSinceMs: 1 }
}

/** So many devices, all of them shared. */
function setUp(count = 0) {
  const feed = new Feed('e')
  const messages = new PublicMessages({ feed, afterBatchTime: () => undefined })
  const keys = new SharedKeys()
  const ofDevices = messages.of('device', (key) => Buffer.from(JSON.stringify(deviceOf(key))))
  for (let key = 1; key <= count; key += 1) keys.set(key, true)
  const subjects = sharedSubjects({
    devices: { keys, read: (key) => (keys.has(key) ? deviceOf(key) : undefined) },
    islands: { keys: new SharedKeys(), read: () => undefined },
  })
  const stream = directoryStream({
    address: 'https://sky.example',
    feed,
    messages,
    subjects,
    clock: () => 1000,
  })
  const installation = installationOf(5)
  stream.speak(installation)
  const change = (key: number, isShared = keys.has(key)) => {
    if (keys.set(key, isShared).isLess) ofDevices.withdraw(key)
    ofDevices.note(key, 'changed')
    messages.seal()
  }
  const follow = async (after?: string, reader = testReader(chunkedEventStream)) => {
    stream.listen(reader, after ?? (await stream.snapshot()))
    const key = importKey(installation.signer.key)
    const statements = () =>
      reader
        .written()
        .toString()
        .split(/\r\n\r\n?|\r\n/)
        .filter((chunk) => chunk.startsWith('data: '))
        .map((event) => {
          const [head = '', signature = '', body = ''] = event
            .split('\n')
            .map((line) => line.slice('data: '.length))
          const { kind, epoch, number, page } = readStatement({ head, signature, body }, key)
          return { kind, epoch, number, page, body }
        })
    return { reader, statements }
  }
  return { feed, stream, installation, keys, change, follow }
}

test('[F2] [F3] a snapshot is pages of at most 500, each with its number and how many there are', async () => {
  const { follow } = setUp(1001)
  const { statements } = await follow()
  expect(statements().map(({ kind, page, epoch, number }) => [kind, page, epoch, number])).toEqual([
    ['page', { index: 0, total: 3 }, 5, 0],
    ['page', { index: 1, total: 3 }, 5, 0],
    ['page', { index: 2, total: 3 }, 5, 0],
    ['alive', undefined, 5, 0],
  ])
  const device = { id: 'id-1001', label: 'Pi', lat: 1, lon: 2, status: 'online' }
  expect(JSON.parse(statements()[2]?.body ?? '')).toEqual([{ type: 'device', payload: device }])
})

test('[F3] a change is signed once for all followers, and what is not shared is not said', async () => {
  const { change, follow } = setUp(1)
  const both = [await follow(), await follow()]
  change(2)
  change(1)
  change(1, false)
  change(1)
  for (const { statements } of both) {
    expect(statements().map(({ kind, number, body }) => [kind, number, JSON.parse(body)])).toEqual([
      ['page', 0, [expect.objectContaining({ type: 'device' })]],
      ['alive', 0, []],
      ['changes', 2, [expect.objectContaining({ type: 'device' })]],
      ['changes', 3, [{ type: 'device-removed', payload: { id: 'id-1' } }]],
    ])
  }
  const [one, other] = both.map(({ reader }) => reader.written().toString())
  expect(one).toBe(other)
})

test('[F4] whoever comes back is asked for the same, whatever was read before', async () => {
  const { change, follow } = setUp(1)
  await follow()
  change(1, false)
  change(1)
  for (const after of ['e-1', 'e-0', 'e-0']) {
    const { statements } = await follow(after)
    const bodies = statements().map(({ body }) => body)
    expect(bodies.some((body) => body.includes('device-removed'))).toBe(after === 'e-0')
  }
})

test('[F4] S74 a snapshot is made anew once something was withdrawn', async () => {
  const { change, follow } = setUp(1)
  await follow()
  change(1, false)
  const { statements } = await follow()
  expect(statements().map(({ body }) => body)).toEqual(['[]', '[]'])
})

test('[F6] [F8] streams end when the key changes or the epoch does', async () => {
  const { stream, installation, follow, change } = setUp(1)
  const same = await follow()
  stream.speak({ ...installation })
  expect(same.reader.ended()).toBe(undefined)
  const others = [installationOf(5), installationOf(6), installationOf(undefined)]
  for (const other of others) {
    const { reader } = await follow()
    stream.speak(other)
    expect(reader.ended()).toBe('reload')
    change(1)
    stream.speak(installation)
  }
})

test('[F7] a follower that reads too slowly is cut off', async () => {
  const { change, follow, feed } = setUp(1)
  const { reader } = await follow()
  reader.setStalled(true)
  for (let sent = 0; sent < unreadBytesMax; sent += 300) change(1)
  expect(reader.ended()).toBe('slow')
  expect(feed.readerCount).toBe(0)
})
