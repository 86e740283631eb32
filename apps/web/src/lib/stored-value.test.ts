import * as v from 'valibot'
import { expect, test } from 'vitest'
import { storedValue } from './stored-value.ts'

const schema = v.object({ lat: v.number() })

function memory() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
}

const blocked = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

test('a written value is read back until it is cleared', () => {
  const keep = memory()
  const place = storedValue('place', schema, () => keep)
  expect(place.read()).toBeUndefined()
  expect(place.write({ lat: 54.3 })).toBe(true)
  expect(place.read()).toEqual({ lat: 54.3 })
  expect(place.clear()).toBe(true)
  expect(place.read()).toBeUndefined()
})

test.each(['not json', '{"lat":"north"}', 'null'])(
  'what does not fit (%s) reads as nothing',
  (text) => {
    const keep = memory()
    keep.setItem('place', text)
    expect(storedValue('place', schema, () => keep).read()).toBeUndefined()
  },
)

test('blocked storage reads as nothing and refuses writes without throwing', () => {
  const place = storedValue('place', schema, blocked)
  expect(place.read()).toBeUndefined()
  expect(place.write({ lat: 1 })).toBe(false)
  expect(place.clear()).toBe(false)
})

test('full storage refuses the write without throwing', () => {
  const place = storedValue('place', schema, () => ({ ...memory(), setItem: blocked }))
  expect(place.write({ lat: 1 })).toBe(false)
})
