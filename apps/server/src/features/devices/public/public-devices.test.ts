import type { Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import type { DeviceRecord } from '../devices-store.ts'
import { pagesOf, testDevice } from '../testing/test-device.ts'
import { PublicDevices } from './public-devices.ts'

function load(devices: readonly DeviceRecord[] = [testDevice(1)]): Promise<PublicDevices> {
  return PublicDevices.load(pagesOf(devices), { status: () => 'unknown' })
}

test('S24 a public device’s JSON has only the listed fields', async () => {
  const device = testDevice(7, { label: '"Pi" \\ 👩‍🚀', lat: -0.1, link: 'https://a.example/?b="c"' })
  const devices = await load([device])
  const { id, label, lat, lon, link } = device
  expect(JSON.parse(String(devices.json(7)))).toEqual({
    id,
    label,
    lat,
    lon,
    link,
    status: 'unknown',
  })
})

test('S24 a device’s JSON has its place as coarse as the owner chose', async () => {
  const place = { lat: 52.521234, lon: 13.4264 }
  const devices = await load([testDevice(1, place), testDevice(2, { ...place, precision: 'km1' })])
  expect(JSON.parse(String(devices.json(1)))).toMatchObject(place)
  expect(JSON.parse(String(devices.json(2)))).toMatchObject({ lat: 52.525, lon: 13.428 })
})

test('S23 a device that is not public has no JSON', async () => {
  const devices = await load()
  expect([1, 2, 3, 404].map((key) => devices.json(key) !== undefined)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(devices.records.size).toBe(1)
})

test.each<Status>(['unknown', 'online', 'offline'])(
  'a device turns %s in its place',
  async (to) => {
    const devices = await load()
    const before = devices.json(1)?.length
    for (const status of ['online', to] as const) devices.setStatus(1, status)
    expect(JSON.parse(String(devices.json(1)))).toMatchObject({ id: 'id-1', status: to })
    expect(devices.json(1)).toHaveLength(before ?? 0)
  },
)
