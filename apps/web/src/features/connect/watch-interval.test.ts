import type { Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { sampleDevice } from '../../test/samples.ts'
import { watchInterval } from './connect-progress.ts'

const device = (status: Status) => sampleDevice({ id: 'a', status })

test.each([null, 'b'])('with %j selected the list is fetched once', (selectedId) => {
  expect(watchInterval([device('unknown')], selectedId)).toBe(false)
  expect(watchInterval(undefined, selectedId)).toBe(false)
})

test.each([
  ['unknown', 1000],
  ['offline', 1000],
  ['online', 10_000],
] as const)('while the device is %s it is polled every %d ms', (status, ms) => {
  expect(watchInterval([device(status)], 'a')).toBe(ms)
})
