import { expect, test } from 'vitest'
import { sessionOrigin } from './start-session.ts'

const deviceOf = (userAgent: string) =>
  sessionOrigin({ headers: { 'user-agent': userAgent }, ip: '192.0.2.1' }).device

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['curl/8.14.1', 'curl'],
  ['Something (Linux)', 'Linux'],
  ['<script>alert(1)</script>', null],
  ['', null],
])('of the browser %j only %j is stored', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})

test.each([
  ['192.0.2.1', 4],
  ['2001:db8::1', 6],
  ['::ffff:192.0.2.1', 4],
  ['unknown', null],
])('of the address %s only the family is stored', (ip, addressFamily) => {
  expect(sessionOrigin({ headers: {}, ip })).toEqual({ device: null, addressFamily })
})
