import fc from 'fast-check'
import type { Operation } from './operations.ts'
import { hostileText, mostly } from './values.ts'

/** Lines that affect how a request is framed, where it goes, or what happens to its connection. */
const oddLines = [
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: +3',
  'Content-Length: 99999999999999999999',
  'Content-Length: 3, 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: \u{b}chunked',
  'Connection: close',
  'Connection: Upgrade',
  'Connection: keep-alive, Content-Length, Cookie',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key: x',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Version: 99',
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99',
  'Host: evil.example',
  'Host: a, b',
  'Host: [::1',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'TE: trailers',
  'Trailer: Cookie',
  'Range: bytes=0-',
  'Cookie: astropelago_session=; astropelago_session=x',
  'Authorization: Bearer apd_',
  ' folded: on',
  'no colon',
  ': no name',
  'Name\u{0}: NUL',
  'X-Value: \u{0}',
  'X-Long: '.padEnd(9000, 'x'),
  'Accept-Encoding: br, gzip',
  'Content-Type: application/json',
  'X-Forwarded-For: 127.0.0.1',
  'Forwarded: for=127.0.0.1',
]

const bodies = [
  '',
  'ab',
  '{}',
  '5\r\n{"a":\r\n0\r\n\r\n',
  '0\r\n\r\n',
  '0\r\nCookie: a=b\r\n\r\n',
  'ffffffffffffffff\r\n',
  '1;ext="\r\n\r\n"\r\nx\r\n',
  'GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n',
  '\u{81}\u{85}\u{0}\u{0}\u{0}\u{0}hello',
]

const oddTargets = [
  '*',
  '/',
  '//',
  '//evil.example/api/me',
  'http://evil.example/api/me',
  'https://localhost:3000/api/devices',
  'evil.example:443',
  '/..%2f..%2fetc%2fpasswd',
  '/../../etc/passwd',
  '/assets/..%5c..%5cpackage.json',
  '/%00',
  '/%',
  '/\u{ff}',
  '/api/devices#fragment',
  '/api/devices?token=apd_secret',
  '/?'.padEnd(8000, 'x'),
  '/_spark/kv/%2e%2e',
  '?',
  '',
]

/** Bytes that begin like a call but need not be valid HTTP. */
export function rawRequestsOf(operations: readonly Operation[]): fc.Arbitrary<Buffer> {
  const real = fc
    .tuple(fc.constantFrom(...operations), fc.uuid())
    .map(([{ path }, id]) => path.replaceAll(/\{\w+\}/g, id))
  const target = mostly(real, fc.oneof(fc.constantFrom(...oddTargets), hostileText), 3)
  const method = mostly(
    fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    fc.oneof(fc.constantFrom('PRI', 'CONNECT', 'TRACE', 'get', 'QUERY', ''), hostileText),
    6,
  )
  const version = mostly(
    fc.constant('HTTP/1.1'),
    fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', ''),
    6,
  )
  const lines = fc.array(mostly(fc.constantFrom(...oddLines), hostileText, 20), { maxLength: 5 })
  const hosts = mostly(fc.constant(['Host: localhost:3000']), fc.constantFrom([], ['Host:']), 10)
  const end = mostly(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\r\n', '\n\r'), 10)
  const one = fc
    .tuple(fc.tuple(method, target, version), hosts, lines, end, fc.constantFrom(...bodies))
    .map(([start, host, headers, newline, body]) =>
      [start.join(' '), ...host, ...headers, '', body].join(newline),
    )
  const cut = fc.option(fc.nat(200), { freq: 6 })
  return fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), cut)
    .map(([parts, length]) =>
      Buffer.from(parts.join(''), 'latin1').subarray(0, length ?? undefined),
    )
}
