import type { Visibility } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { sampleDevice } from '../test/samples.ts'
import { liveInterval } from './use-own-devices.ts'

const device = (visibility: Visibility) => sampleDevice({ visibility })
const live = { phase: 'live' } as const
const polling = { phase: 'polling', error: 'SSE error' } as const

test.each([undefined, { phase: 'connecting' } as const, polling])(
  'while the feed is %j the list is asked for as ever',
  (state) => {
    expect(liveInterval(1000, [device('public')], state)).toBe(1000)
  },
)

test('a live feed reports public devices, but not private ones', () => {
  expect(liveInterval(1000, [device('public')], live)).toBe(60_000)
  expect(liveInterval(10_000, [], live)).toBe(60_000)
  expect(liveInterval(1000, [device('public'), device('private')], live)).toBe(1000)
})

test('a list that is not polled stays so, and an unknown list is polled as before', () => {
  expect(liveInterval(false, [device('private')], live)).toBe(false)
  expect(liveInterval(1000, undefined, live)).toBe(1000)
})
