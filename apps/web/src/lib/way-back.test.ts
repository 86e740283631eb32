import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetWayBack, keepWayBack, readWayBack } from './way-back.ts'

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

test('a way back is read whole until it is forgotten', () => {
  keepWayBack('/invitation#ABCDE')
  expect(readWayBack()).toBe('/invitation#ABCDE')
  forgetWayBack()
  expect(readWayBack()).toBeUndefined()
})

test('it is forgotten after half an hour', () => {
  keepWayBack('/islands/harbor')
  vi.advanceTimersByTime(30 * 60_000 - 1)
  expect(readWayBack()).toBe('/islands/harbor')
  keepWayBack('/islands/harbor')
  vi.advanceTimersByTime(30 * 60_000)
  expect(readWayBack()).toBeUndefined()
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'what leads off this site (%s) is no way back',
  (path) => {
    keepWayBack(path)
    expect(readWayBack()).toBeUndefined()
  },
)
