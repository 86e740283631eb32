import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepWayBack, takeWayBack } from './way-back.ts'

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => items.set(key, text),
      removeItem: (key: string) => items.delete(key),
    },
  })
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a way back is told once, whole', () => {
  keepWayBack('/invitation#ABCDE')
  expect(takeWayBack()).toBe('/invitation#ABCDE')
  expect(takeWayBack()).toBeUndefined()
})

test('it is forgotten after half an hour', () => {
  keepWayBack('/islands/harbor')
  vi.advanceTimersByTime(30 * 60_000 - 1)
  expect(takeWayBack()).toBe('/islands/harbor')
  keepWayBack('/islands/harbor')
  vi.advanceTimersByTime(30 * 60_000)
  expect(takeWayBack()).toBeUndefined()
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'what leads off this site (%s) is no way back',
  (path) => {
    keepWayBack(path)
    expect(takeWayBack()).toBeUndefined()
  },
)
