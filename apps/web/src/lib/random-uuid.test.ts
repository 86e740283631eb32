import { expect, test } from 'vitest'
import { randomUuid } from './random-uuid.ts'

const insecureContext = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
}
const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test.each([
  ['the browser’s own, where it has one', crypto],
  ['random bytes, where it is no secure context', insecureContext],
])('an id is a version 4 UUID from %s', (_name, source) => {
  const ids = Array.from({ length: 200 }, () => randomUuid(source))
  for (const id of ids) expect(id).toMatch(version4)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  [0x00, '00000000-0000-4000-8000-000000000000'],
])('all bits but the six that RFC 9562 fixes are random ones (%d)', (byte, id) => {
  expect(randomUuid({ getRandomValues: (bytes) => bytes.fill(byte) })).toBe(id)
})
