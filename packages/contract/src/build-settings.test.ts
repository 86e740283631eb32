import { expect, test } from 'vitest'
import * as v from 'valibot'
import { BuildSettings, DeviceUpdateUrl, LiveSetting } from './build-settings.ts'

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
  const settings = { hasMapsKey: false, live: 'sse', guides: [] }
  expect(v.is(BuildSettings, { ...settings, deviceUpdateOrigin: 'https://sky.example' })).toBe(true)
  expect(v.is(BuildSettings, { ...settings, deviceUpdateOrigin })).toBe(false)
})

test.each([
  [undefined, 'sse'],
  ['', 'sse'],
  [' websocket ', 'websocket'],
  ['off', 'off'],
])('VITE_LIVE of %j is %j', (text, live) => {
  expect(v.parse(LiveSetting, text)).toBe(live)
})

test.each(['SSE', 'polling', 'true'])('VITE_LIVE of %j is refused with a line', (text) => {
  const { issues } = v.safeParse(LiveSetting, text)
  expect(issues?.map(({ message }) => message)).toEqual(['VITE_LIVE must be sse, websocket or off'])
})
