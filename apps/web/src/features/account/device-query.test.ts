import { expect, test } from 'vitest'
import { sampleDevice } from '../../test/samples.ts'
import {
  type DeviceQuery,
  readDeviceQuery,
  selectDevices,
  withDeviceQuery,
} from './device-query.ts'

const devices = [
  sampleDevice({
    id: 'c0',
    label: 'Buoy 10',
    status: 'online',
    lastSeenAt: '2030-01-03T00:00:00Z',
  }),
  sampleDevice({ id: 'a1', label: 'Zürich', status: 'unknown' }),
  sampleDevice({
    id: 'b2',
    label: 'buoy 9',
    status: 'offline',
    lastSeenAt: '2030-01-02T00:00:00Z',
    link: 'https://Nine.example/',
  }),
]
const found = (query: Partial<DeviceQuery>) =>
  selectDevices(devices, { search: '', sort: 'registered', ...query }).map(({ label }) => label)

test.each([
  ['registered', ['Buoy 10', 'Zürich', 'buoy 9']],
  ['label', ['buoy 9', 'Buoy 10', 'Zürich']],
  ['status', ['buoy 9', 'Zürich', 'Buoy 10']],
  ['seen', ['Buoy 10', 'buoy 9', 'Zürich']],
] as const)('sorted by %s', (sort, expected) => {
  expect(found({ sort })).toEqual(expected)
})

test.each([
  [' zurich ', ['Zürich']],
  ['BUOY', ['Buoy 10', 'buoy 9']],
  ['nine.ex', ['buoy 9']],
  ['a1', ['Zürich']],
  ['nothing', []],
])('a search for %j finds by label, id or link', (search, expected) => {
  expect(found({ search })).toEqual(expected)
})

test('the query is in the address without defaults, and the rest of the address stays', () => {
  const address = new URLSearchParams('tab=x')
  const query = { search: 'buoy', sort: 'seen' } as const
  expect(withDeviceQuery(address, query).toString()).toBe('tab=x&q=buoy&sort=seen')
  expect(readDeviceQuery(withDeviceQuery(address, query))).toEqual(query)
  const first = { search: ' ', sort: 'registered' } as const
  expect(withDeviceQuery(new URLSearchParams('q=a&sort=seen'), first).toString()).toBe('')
})

test.each(['q=a&sort=size', `q=${'x'.repeat(101)}&sort=`])(
  'what makes no sense counts as the default: %s',
  (address) => {
    expect(readDeviceQuery(new URLSearchParams(address)).sort).toBe('registered')
  },
)
