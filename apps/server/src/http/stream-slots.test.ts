import { describe, expect, test } from 'vitest'
import { StreamSlots } from './stream-slots.ts'

const max = 1000

const code = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('S33 slots of streams', () => {
  test('an address has 20, and each can be freed once', () => {
    const slots = new StreamSlots({ max, perAddress: 20 })
    const take = (address: string) => slots.take(address, { isExempt: false })
    const releases = Array.from({ length: 20 }, () => take('a'))
    expect(code(() => take('a'))).toBe('rate_limited')
    expect(code(() => take('b'))).toBeUndefined()
    releases[0]?.()
    releases[0]?.()
    expect(code(() => take('a'))).toBeUndefined()
    expect(code(() => take('a'))).toBe('rate_limited')
    expect(slots.taken).toBe(21)
  })

  test('an exempt address has more of them, up to the server’s own limit', () => {
    const slots = new StreamSlots({ max, perAddress: 20 })
    for (let i = 0; i < max; i += 1) slots.take('a', { isExempt: true })
    expect(code(() => slots.take('a', { isExempt: true }))).toBe('overloaded')
    expect(code(() => slots.take('b', { isExempt: false }))).toBe('overloaded')
  })
})
