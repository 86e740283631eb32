import { expect, test } from 'vitest'
import { entranceOf } from './entrance.ts'

const since = '2026-11-22T10:00:00.000Z'
const entered = {
  role: 'guest',
  mayEnter: true,
  mayJoin: true,
  address: 'https://play.example/',
  isOpen: true,
  isWatched: true,
  pause: null,
  since,
} as const
const shut = { ...entered, mayEnter: false, address: null } as const

test('viewers who may enter find it open, and learn whether it is watched', () => {
  const href = 'https://play.example/'
  expect(entranceOf(entered, 'signed-in')).toEqual({ kind: 'open', href, isWatched: true })
  const unwatched = { ...entered, isWatched: false, since: null }
  expect(entranceOf(unwatched, 'signed-out')).toEqual({ kind: 'open', href, isWatched: false })
})

test('viewers who may enter find it closed since a time', () => {
  expect(entranceOf({ ...entered, isOpen: false }, 'signed-in')).toEqual({
    kind: 'closed',
    href: 'https://play.example/',
    since,
  })
})

test('a paused island has a link only for viewers whom its host lets in', () => {
  const pause = { text: '', until: null }
  const paused = { ...entered, isOpen: false, pause }
  const href = 'https://play.example/'
  expect(entranceOf({ ...paused, role: 'host' }, 'signed-in')).toEqual({ kind: 'paused', href })
  expect(entranceOf({ ...paused, address: null }, 'signed-out')).toEqual({ kind: 'paused' })
  expect(entranceOf({ ...shut, pause }, 'signed-in')).toEqual({ kind: 'may-ask' })
})

test.each([null, 'javascript:alert(1)', 'https://user@play.example/'])(
  'the address %s leads nowhere',
  (address) => {
    expect(entranceOf({ ...entered, address }, 'signed-in')).toEqual({ kind: 'nowhere' })
  },
)

test.each([
  [{ ...shut, role: 'visitor' }, 'signed-out', 'signed-out'],
  [{ ...shut, role: 'guest' }, 'signed-in', 'may-ask'],
  [{ ...shut, role: 'asked' }, 'signed-in', 'asked'],
  // Blocked users are treated as strangers.
  [{ ...shut, role: 'visitor', mayJoin: false }, 'signed-in', 'barred'],
] as const)('who may not enter, as %o, %s, finds: %s', (island, session, kind) => {
  expect(entranceOf(island, session)).toEqual({ kind })
})
