import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenTable } from './token-table.ts'

const hashOf = (name: string | number) => createHash('sha256').update(`${name}`).digest()
const digestOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const deviceOf = (tokenKey: number) => (tokenKey % 6) + 1
const scopeOf = (tokenKey: number) => (tokenKey % 4 === 0 ? 'relay' : 'report')
const otherScope = (tokenKey: number) => (tokenKey % 4 === 0 ? 'report' : 'relay')
/** Hashes with the same first bytes, so that entries collide in the slots. */
const crowded = (key: number) => Buffer.concat([Buffer.alloc(4, key % 3), hashOf(key)], 32)

test('thousands of tokens are found, and an unknown one is not', () => {
  const table = new TokenTable()
  const count = 5000
  for (let key = 1; key <= count; key += 1) {
    table.add(digestOf(hashOf(key)), { tokenKey: key, deviceKey: key * 2, scope: 'report' })
  }
  for (let key = 1; key <= count; key += 1) {
    const found = table.find(digestOf(hashOf(key)), 'report')
    expect(found).toEqual({ tokenKey: key, deviceKey: key * 2 })
  }
  expect(table.find(digestOf(hashOf('stranger')), 'report')).toBeUndefined()
})

test('S22 deleting a device deletes its tokens among thousands, and only those', () => {
  const table = new TokenTable()
  const keys = Array.from({ length: 5000 }, (_, i) => i + 1)
  for (const key of keys) {
    table.add(digestOf(hashOf(key)), { tokenKey: key, deviceKey: deviceOf(key), scope: 'report' })
  }
  table.deleteDevice(3)
  const left = keys.filter((key) => table.find(digestOf(hashOf(key)), 'report') !== undefined)
  expect(left).toEqual(keys.filter((key) => deviceOf(key) !== 3))
})

test('S19 a token is found only by its whole hash', () => {
  const table = new TokenTable()
  const hash = hashOf(1)
  table.add(digestOf(hash), { tokenKey: 1, deviceKey: 1, scope: 'report' })
  for (let byte = 0; byte < hash.length; byte += 1) {
    const other = Buffer.from(hash)
    other[byte] = (other[byte] ?? 0) ^ 1
    expect(table.find(digestOf(other), 'report')).toBeUndefined()
  }
  expect(table.find(digestOf(hash).slice(0, 31), 'report')).toBeUndefined()
  expect(table.find('', 'report')).toBeUndefined()
})

test('S21 S22 tokens that are added and deleted in any order agree with a plain map, by scope', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ do: fc.constant('deleteDevice' as const), key: fc.integer({ min: 1, max: 6 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const table = new TokenTable()
      const model = new Map<number, number>()
      for (const { do: action, key } of steps) {
        if (action === 'add') {
          table.add(digestOf(crowded(key)), {
            tokenKey: key,
            deviceKey: deviceOf(key),
            scope: scopeOf(key),
          })
          model.set(key, deviceOf(key))
        } else {
          table.deleteDevice(key)
          for (const [token, device] of model) if (device === key) model.delete(token)
        }
      }
      for (let key = 1; key <= 60; key += 1) {
        const deviceKey = model.get(key)
        const expected = deviceKey === undefined ? undefined : { tokenKey: key, deviceKey }
        const digest = digestOf(crowded(key))
        expect(table.find(digest, scopeOf(key))).toEqual(expected)
        expect(table.find(digest, otherScope(key))).toBeUndefined()
        const held = { tokenKey: key, deviceKey: deviceOf(key) }
        expect(table.has(held)).toBe(expected !== undefined)
      }
    }),
  )
})

test('deleted tokens do not fill up the table', () => {
  const table = new TokenTable()
  for (let key = 1; key <= 20_000; key += 1) {
    table.add(digestOf(hashOf(key)), { tokenKey: key, deviceKey: 1, scope: 'report' })
    table.deleteDevice(1)
  }
  table.add(digestOf(hashOf('last')), { tokenKey: 7, deviceKey: 8, scope: 'report' })
  expect(table.find(digestOf(hashOf('last')), 'report')).toEqual({ tokenKey: 7, deviceKey: 8 })
  expect(table.find(digestOf(hashOf(3)), 'report')).toBeUndefined()
})
