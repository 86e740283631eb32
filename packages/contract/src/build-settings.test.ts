import { expect, test } from 'vitest'
import * as v from 'valibot'
import { BuildSettings, DeviceUpdateUrl } from './build-settings.ts'

test.each([
  ['https://sky.example/devices?of=mine', 'https://sky.example/devices?of=mine'],
  [' http://192.168.1.7:8080 ', 'http://192.168.1.7:8080/'],
  ['', undefined],
  ['  ', undefined],
  [undefined, undefined],
])('a device update URL of %j is %j', (text, url) => {
  expect(v.parse(DeviceUpdateUrl, text)).toBe(url)
})

test.each([
  'sky.example/devices',
  '/devices',
  'ftp://sky.example',
  'javascript:alert(1)',
  'https://me:secret@sky.example',
  'https://',
])('a device update URL of %j is refused with a line that names the setting', (text) => {
  const { issues } = v.safeParse(DeviceUpdateUrl, text)
  expect(issues?.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^VITE_DEVICE_UPDATE_URL must be /),
  ])
})

test.each([
  'https://sky.example; script-src *',
  "https://sky.example 'unsafe-eval'",
  'https://sky.example/path',
  '*',
])('an origin that would say more in a policy (%s) is refused', (deviceUpdateOrigin) => {
  expect(v.is(BuildSettings, { hasMapsKey: false, deviceUpdateOrigin })).toBe(false)
})
