import { describe, expect, test } from 'vitest'
import {
  HopGreeting,
  HopGreetings,
  hopHeader,
  hopTargetHeader,
  newHopKey,
  type HopChecker,
  type HopSigner,
} from './hop-signature.ts'

const nowMs = 1_800_000_000_000
const ends = { from: 1, to: 2, nowMs }

/** Both ends of a connection from server 1 to server 2. */
function connect(key = newHopKey()): { signer: HopSigner; checker: HopChecker } {
  const greeting = new HopGreeting(key, ends)
  const taken = new HopGreetings(key, 2).take(greeting.header, nowMs)
  const signer = greeting.accept(taken?.answer)
  if (taken === undefined || signer === undefined) throw new Error('not connected')
  return { signer, checker: taken.checker }
}

const asked = {
  ':method': 'GET',
  ':scheme': 'https',
  ':authority': 'bar.islands.example',
  ':path': '/?a=1',
  accept: '*/*',
  'astropelago-user': 'nova',
  'x-forwarded-for': '192.0.2.1',
  [hopTargetHeader]: '3 4',
}
const signed = (signer: HopSigner, headers: Record<string, string> = asked) => ({
  ...headers,
  [hopHeader]: signer.sign(headers, nowMs),
})

describe('R40 a connection between servers', () => {
  test('begins if both know the key', () => {
    expect(connect()).toBeDefined()
  })

  test.each([
    ['with another key', new HopGreeting(newHopKey(), ends).header],
    ['without a greeting', undefined],
    ['with an empty one', ''],
    ['with nonsense', 'a b c d e f'],
  ])('R40 does not begin %s', (_, header) => {
    expect(new HopGreetings(newHopKey(), 2).take(header, nowMs)).toBeUndefined()
  })

  test('R40 does not begin with a greeting for another server, an old one, or one that was taken before', () => {
    const key = newHopKey()
    const { header } = new HopGreeting(key, ends)
    expect(new HopGreetings(key, 3).take(header, nowMs)).toBeUndefined()
    expect(new HopGreetings(key, 2).take(header, nowMs + 10_001)).toBeUndefined()
    expect(new HopGreetings(key, 2).take(header, nowMs - 10_001)).toBeUndefined()
    const greetings = new HopGreetings(key, 2)
    expect(greetings.take(header, nowMs)?.from).toBe(1)
    expect(greetings.take(header, nowMs + 9000)).toBeUndefined()
  })

  test('R40 does not begin with a server that only pretends to be the other', () => {
    const key = newHopKey()
    const greeting = new HopGreeting(key, ends)
    const foreign = new HopGreetings(key, 2).take(new HopGreeting(key, ends).header, nowMs)
    for (const answer of [foreign?.answer, undefined, '', 'a b']) {
      expect(greeting.accept(answer)).toBeUndefined()
    }
  })
})

describe('R40 a request between servers', () => {
  test('R40 is accepted as signed, once and in order', () => {
    const { signer, checker } = connect()
    const [first, second] = [signed(signer), signed(signer)]
    expect(checker.isGood(first, nowMs)).toBe(true)
    expect(checker.isGood(first, nowMs)).toBe(false)
    expect(checker.isGood(second, nowMs + 9000)).toBe(true)
    expect(checker.isGood(first, nowMs)).toBe(false)
  })

  test.each([
    ['method', { ':method': 'POST' }],
    ['host', { ':authority': 'other.islands.example' }],
    ['path', { ':path': '/?a=2' }],
    ['scheme', { ':scheme': 'http' }],
    ['protocol', { ':protocol': 'websocket' }],
    ['address of the visitor', { 'x-forwarded-for': '192.0.2.2' }],
    ['identity', { 'astropelago-user': 'vega' }],
    ['identity, which it had not', { 'astropelago-name': 'Vega' }],
    ['island', { [hopTargetHeader]: '5 4' }],
  ])('R40 is refused with another %s', (_, changed) => {
    const { signer, checker } = connect()
    const request = signed(signer)
    expect(checker.isGood({ ...request, ...changed }, nowMs)).toBe(false)
    expect(checker.isGood(request, nowMs)).toBe(true)
  })

  test('R40 is refused if it is old, unsigned or signed for another connection', () => {
    const key = newHopKey()
    const [one, other] = [connect(key), connect(key)]
    expect(one.checker.isGood(signed(one.signer), nowMs + 10_001)).toBe(false)
    expect(one.checker.isGood(asked, nowMs)).toBe(false)
    expect(one.checker.isGood({ ...asked, [hopHeader]: '1' }, nowMs)).toBe(false)
    expect(one.checker.isGood(signed(other.signer), nowMs)).toBe(false)
  })
})
