import { describe, expect, test } from 'vitest'
import { HopGreeting, HopGreetings, newHopKey } from './hop-greeting.ts'

const nowMs = 1_800_000_000_000
const ends = { from: 1, to: 2, nowMs }

describe('R40 a connection between servers', () => {
  test('R40 begins if both know the key', () => {
    const key = newHopKey()
    const greeting = new HopGreeting(key, ends)
    const answer = new HopGreetings(key, 2).take(greeting.header, nowMs)
    expect(greeting.isAnsweredBy(answer)).toBe(true)
  })

  test.each([
    ['with another key', new HopGreeting(newHopKey(), ends).header],
    ['without a greeting', undefined],
    ['with an empty one', ''],
    ['with nonsense', 'a b c d e f'],
  ])('R40 does not begin %s', (_, header) => {
    expect(new HopGreetings(newHopKey(), 2).take(header, nowMs)).toBeUndefined()
  })

  test.each(['from', 'to', 'time', 'nonce', 'proof'])(
    'R40 does not begin with a greeting whose %s was changed',
    (part) => {
      const key = newHopKey()
      const at = ['from', 'to', 'time', 'nonce', 'proof'].indexOf(part)
      const parts = new HopGreeting(key, ends).header.split(' ')
      parts[at] = at < 3 ? String(Number(parts[at]) + 1) : `${parts[at]?.slice(0, -2)}xx`
      const to = part === 'to' ? 3 : 2
      expect(new HopGreetings(key, to).take(parts.join(' '), nowMs)).toBeUndefined()
    },
  )

  test('R40 does not begin with a greeting for another server, an old one, or one that was taken before', () => {
    const key = newHopKey()
    const { header } = new HopGreeting(key, ends)
    expect(new HopGreetings(key, 3).take(header, nowMs)).toBeUndefined()
    expect(new HopGreetings(key, 2).take(header, nowMs + 10_001)).toBeUndefined()
    expect(new HopGreetings(key, 2).take(header, nowMs - 10_001)).toBeUndefined()
    const greetings = new HopGreetings(key, 2)
    expect(greetings.take(header, nowMs - 10_000)).toBeDefined()
    expect(greetings.take(header, nowMs)).toBeUndefined()
    expect(greetings.take(header, nowMs + 10_000)).toBeUndefined()
  })

  test('R40 does not begin with a server that only pretends to be the other', () => {
    const key = newHopKey()
    const greeting = new HopGreeting(key, ends)
    const foreign = new HopGreetings(key, 2).take(new HopGreeting(key, ends).header, nowMs)
    const guessed = new HopGreetings(newHopKey(), 2).take(greeting.header, nowMs)
    const echoed = greeting.header.split(' ').slice(3).join(' ')
    for (const answer of [foreign, guessed, echoed, undefined, '', 'a b']) {
      expect(greeting.isAnsweredBy(answer)).toBe(false)
    }
  })
})
