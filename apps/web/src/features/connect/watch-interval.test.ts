import type { OwnDevice, Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { watchInterval } from './watch-interval.ts'

const device = (status: Status): OwnDevice => ({
  id: 'a',
  label: 'Harbour Pi',
  lat: 48.2,
  lon: 16.37,
  status,
  link: null,
  visibility: 'public',
  lastSeenAt: null,
  createdAt: '2030-01-01T00:00:00.000Z',
})

test.each([null, 'b'])('with %j selected the list is asked for once', (selectedId) => {
  expect(watchInterval([device('unknown')], selectedId)).toBe(false)
  expect(watchInterval(undefined, selectedId)).toBe(false)
})

test.each([
  ['unknown', 1000],
  ['offline', 1000],
  ['online', 10_000],
] as const)('while the device is %s it is asked for every %d ms', (status, ms) => {
  expect(watchInterval([device(status)], 'a')).toBe(ms)
})
