import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createDeviceToken, isCallOn, registerDevice, safeLink, updateDevice } from './devices.ts'

const details = { label: 'Pi', lat: 1.5, lon: -2.5 }
const parsed = (changes: Record<string, unknown>) =>
  v.parse(registerDevice.body, { ...details, ...changes })
const isTaken = (changes: Record<string, unknown>) =>
  v.is(registerDevice.body, { ...details, ...changes })

describe('isCallOn', () => {
  test.each([
    'https://sky.example/api',
    'https://sky.example/api/me/export',
    'http://Sky.Example:80/api/auth/logout?a#b',
    'https://sky.example/%61pi/me',
    'https://sky.example/explore/../api/me',
    'https://sky.example/_spark/kv/a',
  ])('S17 knows %j for a call on sky.example', (link) => {
    expect(isCallOn('sky.example', link)).toBe(true)
  })

  test.each([
    'https://sky.example/',
    'https://sky.example/islands/api',
    'https://sky.example/api-harbor',
    'https://sky.example/%zz',
    'https://sky.example:8443/api/me',
    'https://harbor.example/api/me',
    'https://harbor.example/?https://sky.example/api',
    'sky.example/api',
  ])('takes %j for none', (link) => {
    expect(isCallOn('sky.example', link)).toBe(false)
  })
})

describe('safeLink', () => {
  test.each([
    ['https://sky.example', 'https://sky.example/'],
    ['HTTP://Sky.Example/A?b#c', 'http://sky.example/A?b#c'],
    ['  https://sky.example/a ', 'https://sky.example/a'],
    ['ht\ntps://sky.example', 'https://sky.example/'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('keeps %j as %j', (text, kept) => {
    expect(safeLink(text)).toBe(kept)
  })

  test.each([
    '',
    'sky.example',
    '/explore',
    '//sky.example',
    'https://',
    'https:// sky.example',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://sky.example/1',
    'ftp://sky.example',
    'ws://sky.example',
    'view-source:https://sky.example',
    'jar:https://sky.example!/',
    'https\u200b://sky.example',
    'https://nova@sky.example',
    'https://nova:secret@sky.example/',
    'https://sky.example@evil.example/',
  ])('S27 refuses %j', (text) => {
    expect(safeLink(text)).toBeUndefined()
  })

  test('S27 takes no script or data address, whatever its case, white space or control characters', () => {
    const junk = fc.string({
      unit: fc.constantFrom('\t', '\n', '\r', ' ', '\0', '\u0001', '\u001f', '\u00a0', '\u200b'),
      maxLength: 3,
    })
    const scheme = fc.constantFrom('javascript', 'data', 'vbscript', 'file', 'blob', 'about')
    const disguised = scheme.chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }),
        fc.array(junk, { minLength: name.length + 2, maxLength: name.length + 2 }),
      ),
    )
    fc.assert(
      fc.property(disguised, fc.webUrl(), ([name, isUpper, between], rest) => {
        const letters = Array.from(name, (letter, index) =>
          isUpper[index] === true ? letter.toUpperCase() : letter,
        )
        const text = [...letters, ':'].map((part, index) => `${between[index]}${part}`).join('')
        expect(safeLink(text + rest)).toBeUndefined()
      }),
    )
  })

  test('S27 what it keeps is an absolute http or https address, and is kept again as it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
        const kept = safeLink(text)
        fc.pre(kept !== undefined)
        expect(kept).toMatch(/^https?:\/\/[^/]/)
        expect(safeLink(kept)).toBe(kept)
      }),
    )
  })

  test('a link has at most 2,048 characters, as sent and as kept', () => {
    const start = 'https://a.example/'
    expect(safeLink(start + 'a'.repeat(2048 - start.length))).toHaveLength(2048)
    expect(safeLink(start + 'a'.repeat(2049 - start.length))).toBeUndefined()
    // Each of these is one character when sent and nine when encoded.
    expect(safeLink(start + '€'.repeat(300))).toBeUndefined()
  })
})

describe('the label of a device', () => {
  test.each([
    ['  Roof  ', 'Roof'],
    ['Cafe\u0301', 'Café'],
    ['safe\u202Etxt.exe', 'safetxt.exe'],
    ['🛰'.repeat(64), '🛰'.repeat(64)],
    ['<b>"\'&', '<b>"\'&'],
  ])('S29 %j is kept as %j', (label, kept) => {
    expect(parsed({ label })).toMatchObject({ label: kept })
  })

  test.each([
    '',
    '   ',
    '\u200b',
    '\u2060\ufeff',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\u0301',
    '\u202E\u202C',
    '🛰'.repeat(65),
    'a\0b',
    'a\nb',
    'a\ud800',
    7,
    null,
    ['a'],
  ])('S60 S29 %j is refused', (label) => {
    expect(isTaken({ label })).toBe(false)
  })
})

describe('the place of a device', () => {
  test('the bounds belong to it', () => {
    for (const lat of [-90, 0, -0, 90, 1e-300]) expect(isTaken({ lat })).toBe(true)
    for (const lon of [-180, 0, 180]) expect(isTaken({ lon })).toBe(true)
  })

  test.each([90.000001, -90.000001, NaN, Infinity, -Infinity, '1', '', null, true, [1]])(
    'the latitude %j is refused',
    (lat) => {
      expect(isTaken({ lat })).toBe(false)
    },
  )

  test.each([180.000001, -180.000001, NaN, Infinity, -Infinity, '1', null, {}])(
    'the longitude %j is refused',
    (lon) => {
      expect(isTaken({ lon })).toBe(false)
    },
  )

  test('every number in its bounds is taken as it is, and no other', () => {
    fc.assert(
      fc.property(fc.double(), (lat) => {
        expect(isTaken({ lat })).toBe(lat >= -90 && lat <= 90)
      }),
    )
  })
})

test('link, visibility, precision, schedule and sharing may be left out', () => {
  const rest = {
    isShared: false,
    link: null,
    visibility: 'public',
    precision: 'exact',
    schedule: null,
  }
  expect(parsed({})).toEqual({ ...details, ...rest })
})

test.each([
  { visibility: 'Public' },
  { visibility: null },
  { link: '' },
  { link: 7 },
  { precision: 'km2' },
])('%j is refused', (change) => {
  expect(isTaken(change)).toBe(false)
})

test.each([
  ['a new device', registerDevice.body, { ...details, id: 'x' }],
  ['a new device with a status', registerDevice.body, { ...details, status: 'online' }],
  ['a changed device', updateDevice.body, { userKey: 1 }],
  ['a new token', createDeviceToken.body, { deviceId: 'x', token: 'apd_x' }],
])('S24 an unknown field is refused: %s', (_, schema, body) => {
  expect(v.is(schema, body)).toBe(false)
})

test('a change names what changes and nothing else', () => {
  expect(v.parse(updateDevice.body, {})).toEqual({})
  expect(v.parse(updateDevice.body, { link: null })).toEqual({ link: null })
  expect(v.parse(updateDevice.body, { label: ' Roof ' })).toEqual({ label: 'Roof' })
  expect(v.is(updateDevice.body, { lat: undefined })).toBe(false)
})
