import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ChannelSettings } from './alert-channels.ts'

const parts = [
  'https://',
  'http://',
  'ntfy.sh',
  '127.1',
  '[::1]',
  ':8080',
  '/',
  '//',
  '?',
  '#',
  'a',
  '%2F',
  ' ',
  '@',
  '..',
  '\\',
  'ü',
  '\n',
]
const address = fc.oneof(
  fc.webUrl({ withFragments: true }),
  fc.webUrl({ withQueryParameters: true }),
  fc.webUrl(),
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join('')),
  fc.string(),
)
const token = fc.oneof(fc.constant('tk_1'), fc.string({ maxLength: 20 }))
const settings = fc.oneof(
  fc.record({ kind: fc.constant('webhook'), url: address }),
  fc.record({ kind: fc.constant('ntfy'), topic: address, token: fc.option(token) }),
  fc.record({ kind: fc.constant('gotify'), server: address, token }),
  fc.record({ kind: fc.constant('slack'), url: address }),
  fc.record({ kind: fc.constant('matrix'), server: address, token, room: fc.constant('!a:b') }),
  fc.record({
    kind: fc.constant('telegram'),
    server: address,
    token: fc.constant('1:a'),
    chat: token,
  }),
)

test('[CH1] what is taken is the same when it is read again, and its addresses can be called', () => {
  let taken = 0
  fc.assert(
    fc.property(settings, (given) => {
      const read = v.safeParse(ChannelSettings, given)
      if (!read.success) return
      taken += 1
      expect(v.parse(ChannelSettings, JSON.parse(JSON.stringify(read.output)))).toEqual(read.output)
      for (const text of Object.values(read.output)) {
        if (typeof text !== 'string' || !text.startsWith('http')) continue
        const url = new URL(text)
        expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
        // No empty query or fragment.
        expect(text).not.toMatch(/^[^?#]*[?#]$/)
      }
    }),
    { numRuns: 2000 },
  )
  expect(taken).toBeGreaterThan(100)
})

test.each([
  ['https://gotify.example', 'https://gotify.example'],
  ['https://gotify.example/', 'https://gotify.example'],
  ['https://gotify.example/push//', 'https://gotify.example/push'],
  ['https://gotify.example/push?', 'https://gotify.example/push'],
  ['https://gotify.example/#', 'https://gotify.example'],
])('[CH1] behind the server %s paths can be put', (server, expected) => {
  const read = v.parse(ChannelSettings, { kind: 'gotify', server, token: 'a' })
  expect(read).toEqual({ kind: 'gotify', server: expected, token: 'a' })
})
