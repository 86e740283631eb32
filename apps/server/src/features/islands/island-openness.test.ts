import { expect, test } from 'vitest'
import { openingAt, readOpenness } from './island-openness.ts'

const behind = { isOpen: true, isWatched: true, sinceMs: 100 }
const closed = { ...behind, isOpen: false }
const pause = { fromMs: 200, untilMs: 300, text: 'New disk' }

test.each([
  ['never paused', behind, null, 250, { isOpen: true, sinceMs: 100, pause: null }],
  ['paused', behind, pause, 200, { isOpen: false, sinceMs: 200, pause }],
  ['paused to its last moment', behind, pause, 299, { isOpen: false, sinceMs: 200, pause }],
  ['paused without an end', behind, { ...pause, untilMs: null }, 9999, { isOpen: false }],
  [
    'open since the end of its pause',
    behind,
    pause,
    300,
    { isOpen: true, sinceMs: 300, pause: null },
  ],
  ['closed when its pause ends', closed, pause, 300, { isOpen: false, sinceMs: 300, pause: null }],
  ['open again later', { ...behind, sinceMs: 400 }, pause, 500, { isOpen: true, sinceMs: 400 }],
  ['open since an unknown time', { ...behind, sinceMs: null }, pause, 300, { sinceMs: null }],
] as const)('an island is %s', (_, is, paused, atMs, expected) => {
  expect(openingAt(is, paused, atMs)).toMatchObject(expected)
})

test.each([
  ['a link', { carrier: null }],
  ['the relay', { isRelayed: true, relayOpening: { isOpen: true, sinceMs: 1 } }],
])('a pause closes an island behind %s, until it ends by itself', async (_, way) => {
  let nowMs = 250
  const island = {
    hasAddress: true,
    isRelayed: false,
    isHosted: false,
    pages: null,
    relayOpening: null,
    check: null,
    carrier: { key: 7, id: 'device', label: 'Pi', isPublic: true },
    pause,
    ...way,
  }
  const read = () =>
    readOpenness(island, {
      clock: () => nowMs,
      statusSince: async () => ({ status: 'online', sinceMs: 1 }),
    })
  expect(await read()).toMatchObject({
    isOpen: false,
    pause: { text: 'New disk', until: '1970-01-01T00:00:00.300Z' },
  })
  nowMs = 300
  expect(await read()).toMatchObject({ isOpen: true, pause: null })
})
