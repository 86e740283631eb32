import { describe, expect, test } from 'vitest'
import { FeedPlaces, feedsMax } from './feed-places.ts'

const code = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('S33 places on the feed', () => {
  test('20 for an address; one that is given back is free again, once', () => {
    const places = new FeedPlaces()
    const take = (address: string) => places.take(address, { isExempt: false })
    const releases = Array.from({ length: 20 }, () => take('a'))
    expect(code(() => take('a'))).toBe('rate_limited')
    expect(code(() => take('b'))).toBeUndefined()
    releases[0]?.()
    releases[0]?.()
    expect(code(() => take('a'))).toBeUndefined()
    expect(code(() => take('a'))).toBe('rate_limited')
    expect(places.taken).toBe(21)
  })

  test('an exempt address has more of them, up to the server’s own bound', () => {
    const places = new FeedPlaces()
    for (let i = 0; i < feedsMax; i += 1) places.take('a', { isExempt: true })
    expect(code(() => places.take('a', { isExempt: true }))).toBe('overloaded')
    expect(code(() => places.take('b', { isExempt: false }))).toBe('overloaded')
  })
})
