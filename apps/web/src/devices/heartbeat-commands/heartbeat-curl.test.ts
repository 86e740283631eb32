import { expect, test } from 'vitest'
import { addressNotes } from './command-guide.ts'
import { serverAddress } from './heartbeat-curl.ts'

test.each([
  ['https://sky.example', 'https://sky.example/api/me'],
  ['https://sky.example/', 'https://sky.example/api/me'],
  ['https://sky.example/under/path//', 'https://sky.example/under/path/api/me'],
  ['http://[::1]:3000', 'http://[::1]:3000/api/me'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/api/me'],
  ['https://a{b,c}d"e.example', 'https://a%7Bb,c%7Dd%22e.example/api/me'],
  ['https://sky.example/{a,b}[1-3] "x', 'https://sky.example/%7Ba,b%7D%5B1-3%5D%20%22x/api/me'],
])('the call of %s is at %s', (publicUrl, address) => {
  expect(serverAddress(publicUrl, '/api/me')).toBe(address)
})

test.each([
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]',
  'https://a.localhost',
])('%s is told to work on this computer only', (publicUrl) => {
  expect(addressNotes(publicUrl)).toEqual([expect.stringContaining('this computer only')])
})

test('plain http gets a warning that others can read it', () => {
  expect(addressNotes('http://sky.example')).toEqual([expect.stringContaining('plain http')])
})

test('https gets no warning', () => {
  expect(addressNotes('https://127.example')).toEqual([])
})
