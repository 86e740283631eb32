import { islandStatusBadge } from '@astropelago/contract/embeds'
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import {
  cachedForMs,
  CachedAnswers,
  deviceSubject,
  islandSubject,
  prepareAnswer,
} from './cached-answers.ts'

function setUp({ maxBytes }: { readonly maxBytes?: number } = {}) {
  const clock = movableClock()
  const cached = new CachedAnswers({
    clock: clock.now,
    ...(maxBytes !== undefined && { maxBytes }),
  })
  const add = (address: string, subject: number, begun = cached.begin(), text = 'x') =>
    cached.add(begun, address, {
      subject,
      route: islandStatusBadge,
      answer: prepareAnswer(text, 'text/plain'),
    })
  const isCached = (address: string) => cached.find(address) !== undefined
  return { clock, cached, add, isCached }
}

describe('EM5 an answer is cached until its subject may have changed', () => {
  test('all answers about one subject are dropped together', () => {
    const { cached, add, isCached } = setUp()
    add('/a', deviceSubject(1))
    add('/a?label=x', deviceSubject(1))
    add('/b', deviceSubject(2))
    add('/island', islandSubject(1))
    cached.drop(deviceSubject(1))
    expect(['/a', '/a?label=x', '/b', '/island'].map(isCached)).toEqual([false, false, true, true])
  })

  test('EM5 an answer made before a change is not cached', () => {
    const { cached, add, isCached } = setUp()
    const begun = cached.begin()
    cached.drop(deviceSubject(1))
    add('/a', deviceSubject(1), begun)
    add('/b', deviceSubject(2), begun)
    expect([isCached('/a'), isCached('/b')]).toEqual([false, true])
    add('/a', deviceSubject(1))
    expect(isCached('/a')).toBe(true)
  })

  test('a replaced answer is dropped with its subject', () => {
    const { cached, add, isCached } = setUp()
    add('/a', deviceSubject(1))
    add('/a', deviceSubject(1))
    cached.drop(deviceSubject(1))
    expect(isCached('/a')).toBe(false)
    add('/a', deviceSubject(1))
    add('/a', deviceSubject(2))
    cached.drop(deviceSubject(2))
    expect(isCached('/a')).toBe(false)
  })

  test('for ten seconds at most', () => {
    const { clock, add, isCached } = setUp()
    add('/a', deviceSubject(1))
    clock.move(cachedForMs - 1)
    expect(isCached('/a')).toBe(true)
    clock.move(1)
    expect(isCached('/a')).toBe(false)
  })
})

test('EM6 made-up addresses fill only the memory meant for answers', () => {
  const { cached, add, isCached } = setUp({ maxBytes: 100_000 })
  for (let i = 0; i < 1000; i += 1) add(`/a?label=${i}`, deviceSubject(1), cached.begin())
  expect([isCached('/a?label=0'), isCached('/a?label=999')]).toEqual([false, true])
  add('/large', deviceSubject(2), cached.begin(), 'x'.repeat(200_000))
  expect(isCached('/large')).toBe(false)
  // An answer that was evicted leaves nothing behind.
  cached.drop(deviceSubject(1))
  expect(isCached('/a?label=999')).toBe(false)
})
