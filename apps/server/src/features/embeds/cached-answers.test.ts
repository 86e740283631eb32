import { islandStatusBadge } from '@astropelago/contract/embeds'
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import { deviceSubject, islandSubject, cachedForMs, CachedAnswers } from './cached-answers.ts'
import { prepareAnswer } from './prepared-answer.ts'

function setUp({ maxBytes }: { readonly maxBytes?: number } = {}) {
  const clock = movableClock()
  const kept = new CachedAnswers({ clock: clock.now, ...(maxBytes !== undefined && { maxBytes }) })
  const keep = (address: string, subject: number, begun = kept.begin(), text = 'x') =>
    kept.keep(begun, address, {
      subject,
      route: islandStatusBadge,
      answer: prepareAnswer(text, 'text/plain'),
    })
  const isKept = (address: string) => kept.find(address) !== undefined
  return { clock, kept, keep, isKept }
}

describe('EM5 an answer is kept until what it tells of may have changed', () => {
  test('and all at whatever addresses of one thing go together', () => {
    const { kept, keep, isKept } = setUp()
    keep('/a', deviceSubject(1))
    keep('/a?label=x', deviceSubject(1))
    keep('/b', deviceSubject(2))
    keep('/island', islandSubject(1))
    kept.noteChange(deviceSubject(1))
    expect(['/a', '/a?label=x', '/b', '/island'].map(isKept)).toEqual([false, false, true, true])
  })

  test('EM5 what was made from an older look is not kept', () => {
    const { kept, keep, isKept } = setUp()
    const begun = kept.begin()
    kept.noteChange(deviceSubject(1))
    keep('/a', deviceSubject(1), begun)
    keep('/b', deviceSubject(2), begun)
    expect([isKept('/a'), isKept('/b')]).toEqual([false, true])
    keep('/a', deviceSubject(1))
    expect(isKept('/a')).toBe(true)
  })

  test('made anew, it goes with its thing as before', () => {
    const { kept, keep, isKept } = setUp()
    keep('/a', deviceSubject(1))
    keep('/a', deviceSubject(1))
    kept.noteChange(deviceSubject(1))
    expect(isKept('/a')).toBe(false)
    keep('/a', deviceSubject(1))
    keep('/a', deviceSubject(2))
    kept.noteChange(deviceSubject(2))
    expect(isKept('/a')).toBe(false)
  })

  test('and for ten seconds at most', () => {
    const { clock, keep, isKept } = setUp()
    keep('/a', deviceSubject(1))
    clock.move(cachedForMs - 1)
    expect(isKept('/a')).toBe(true)
    clock.move(1)
    expect(isKept('/a')).toBe(false)
  })
})

test('EM6 whoever makes up addresses fills no more memory than there is for it', () => {
  const { kept, keep, isKept } = setUp({ maxBytes: 100_000 })
  for (let i = 0; i < 1000; i += 1) keep(`/a?label=${i}`, deviceSubject(1), kept.begin())
  expect([isKept('/a?label=0'), isKept('/a?label=999')]).toEqual([false, true])
  keep('/large', deviceSubject(2), kept.begin(), 'x'.repeat(200_000))
  expect(isKept('/large')).toBe(false)
  // An answer that was evicted leaves nothing behind.
  kept.noteChange(deviceSubject(1))
  expect(isKept('/a?label=999')).toBe(false)
})
