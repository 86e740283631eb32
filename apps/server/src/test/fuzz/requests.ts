import fc from 'fast-check'
import type { Operation } from './operations.ts'
import { hostileText, hostileValue, mostly, valueOf } from './values.ts'

/** A generated request. Known values are filled in when it is sent. */
export interface FuzzedRequest {
  readonly operation: Operation
  /** The method to send, mostly the operation's. */
  readonly method: string
  /** A security scheme of the document, or a caller without any. */
  readonly caller: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: readonly (readonly [name: string, value: unknown])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: FuzzedBody | undefined
  /** Last part of the client's address. */
  readonly host: number
}

type FuzzedBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

/** Rate limits apply to hosts above this number. */
const exemptHosts = 127
export const exemptAddresses = ['127.0.0.1', '198.51.100.0/25']

const strangers = ['nobody', 'a made-up cookie', 'a made-up token'] as const

/** Headers that could change who asks, what is asked for, or how the body is read. */
const oddHeaders = fc.constantFrom<Record<string, string>>(
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { 'x-http-method-override': 'DELETE' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-site': 'none' },
  { host: 'evil.example' },
  { host: '' },
  { referer: 'javascript:alert(1)' },
  { range: 'bytes=0-0,1-1,-1' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { accept: 'image/*;q=0' },
  { 'accept-encoding': 'gzip;q=0, br;q=nonsense, *' },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': '\u{ff}' },
  { 'last-event-id': '../../x-999999999999999' },
  { 'x-spark-initial': 'true' },
  { expect: '200-maybe' },
  { cookie: '__proto__=1; a=%; =; ;;' },
  { authorization: 'Bearer' },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
)

const oddMethods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')

/** Bodies that are not JSON, repeat a name, or exceed what a number can hold. */
const oddBodies = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  '{"a":1}{"a":2}',
  '{"label":"a","label":"b"}',
  '{"__proto__":{"isDemo":false}}',
  '{"constructor":{"prototype":{"isDemo":false}}}',
  '{"lat":1e400,"lon":-1e400}',
  '\u{feff}{}',
  'NaN',
  '"\\ud800"',
  '\0',
  'a,b\r\n"',
].map((text) => Buffer.from(text))
const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])

export function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const { method, callers } = operation
  const known = callers.length === 0 ? ['user', 'nobody'] : callers
  return fc.record({
    operation: fc.constant(operation),
    method: mostly(fc.constant(method), oddMethods, 30),
    caller: mostly(
      fc.constantFrom(...known),
      fc.constantFrom('user', 'device', ...callers, ...strangers),
      5,
    ),
    params: paramsOf(operation),
    query: queryOf(operation),
    headers: mostly(fc.constant<Record<string, string>>({}), oddHeaders, 4),
    body: bodyOf(operation),
    host: mostly(fc.integer({ min: 1, max: exemptHosts }), fc.constant(exemptHosts + 1), 50),
  })
}

function paramsOf({ parameters }: Operation): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(
      parameters
        .filter((one) => one.in === 'path')
        .map(({ name, schema }) => [name, mostly(valueOf(schema, name, 0), hostileText, 6)]),
    ),
  )
}

function queryOf({ parameters }: Operation): fc.Arbitrary<[string, unknown][]> {
  const described = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, required, schema }) => {
      const pair = fc.tuple(fc.constant(name), mostly(valueOf(schema, name, 0), hostileText, 6))
      return required
        ? mostly(
            pair.map((one) => [one]),
            fc.constant([]),
            8,
          )
        : fc.array(pair, { maxLength: 1 })
    })
  const odd = fc.tuple(
    fc.constantFrom('token', 'since', 'id', '__proto__', 'constructor', 'a[b]', '', '%'),
    hostileText,
  )
  return fc
    .tuple(fc.tuple(...described), mostly(fc.constant([]), fc.array(odd, { maxLength: 3 }), 8))
    .map(([pairs, more]) => [...pairs, more].flat())
}

function bodyOf({ method, body, bodyMaxBytes }: Operation): fc.Arbitrary<FuzzedBody | undefined> {
  const odd: fc.Arbitrary<FuzzedBody> = fc
    .oneof(
      fc.constantFrom(...oddBodies, notUtf8),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('[', '{"a":', '"').map((start) => largest(start, bodyMaxBytes)),
    )
    .map((bytes) => ({ kind: 'bytes', bytes }))
  if (body === undefined) {
    return method === 'GET' ? fc.constant(undefined) : mostly(fc.constant(undefined), odd, 5)
  }
  return fc.oneof(
    { weight: 8, arbitrary: json(valueOf(body.schema, '', 0)) },
    { weight: 8, arbitrary: json(valueOf(body.schema, '', 10)) },
    { weight: 1, arbitrary: json(hostileValue) },
    { weight: 2, arbitrary: odd },
  )
}

function json(value: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzedBody> {
  return value.map((one) => ({ kind: 'json', value: one }))
}

/** As many bytes as the call takes, or one more. */
function largest(start: string, bytes: number): Buffer {
  return Buffer.alloc(bytes + (start === '[' ? 1 : 0), start)
}
