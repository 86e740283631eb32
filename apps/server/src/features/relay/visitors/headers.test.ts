import { describe, expect, test } from 'vitest'
import { answerHeaders, passedOn, requestHeaders, visitorsLocation } from './forwarded-headers.ts'

const visit = {
  scheme: 'https',
  authority: 'bar.isles.example',
  path: '/a?b',
  address: '203.0.113.7',
  identity: null,
}

test('R2 a request passes with its visitor’s headers, under the island’s name', () => {
  const headers = { host: 'BAR.isles.example', accept: 'text/html', 'x-two': 'a, b' }
  expect(requestHeaders({ headers }, visit)).toEqual([
    'accept',
    'text/html',
    'x-two',
    'a, b',
    'x-forwarded-for',
    '203.0.113.7',
    'x-forwarded-host',
    'bar.isles.example',
    'x-forwarded-proto',
    'https',
  ])
})

test('R2 headers of the connection, and those that it names, are dropped', () => {
  const headers = {
    connection: 'keep-alive, X-Secret',
    'keep-alive': 'timeout=5',
    'proxy-authorization': 'Basic eDp5',
    te: 'gzip',
    'transfer-encoding': 'chunked',
    upgrade: 'h2c',
    // The length is sent with the body, whatever `Connection` says of it.
    'content-length': '3',
    'http2-settings': 'AAMAAABk',
    'x-secret': 'of this hop',
    expect: 'wonders',
  }
  expect(passedOn(headers)).toEqual({})
  expect(passedOn({ expect: '100-Continue' })).toEqual({ expect: '100-Continue' })
})

test.each([
  'astropelago-user',
  'astropelago_user',
  'astropelago_name',
  'astropelago-anything',
  'astropelago.user',
  'x-forwarded-for',
  'x_forwarded_for',
  'x-forwarded_host',
  'x-forwarded-proto',
  'x-forwarded-user',
  'forwarded',
  'x-real-ip',
  'x_real_ip',
  'true-client-ip',
  'client-ip',
  'x-cluster-client-ip',
  'x_client_ip',
  'x-original-forwarded-for',
  'x-remote-ip',
  'x-azure-clientip',
  'fastly-client-ip',
  'cf-connecting-ipv6',
  'cf-access-authenticated-user-email',
  'remote-user',
  'remote_user',
  'remote-groups',
  'x-remote-user',
  'x-webauth-user',
  'x-auth-request-email',
  'x-auth-username',
  'x-authentik-username',
  'x-vouch-user',
  'x-pomerium-claim-email',
  'tailscale-user-login',
  'x-goog-authenticated-user-email',
  'x-amzn-oidc-identity',
  'x-ms-client-principal-name',
  'ssl-client-s-dn',
  'x-client-verify',
])('R12 S56 no visitor can identify themselves by %s', (name) => {
  expect(passedOn({ [name]: 'operator' })).toEqual({})
})

test.each([
  'authorization',
  'x-requested-with',
  'x-auth-token',
  'x-csrf-token',
  'remote',
  'user-agent',
])('R2 what visitors send by %s reaches the service', (name) => {
  expect(passedOn({ [name]: 'theirs' })).toEqual({ [name]: 'theirs' })
})

test('S55 the site’s cookies reach no service, in any order', () => {
  const cookie =
    'astropelago_session=a; theme=dark; __Host-astropelago_session=b;astropelago_signed_in=1; sid="x; y"'
  expect(passedOn({ cookie })).toEqual({ cookie: 'theme=dark; sid="x; y"' })
  expect(passedOn({ cookie: '__Secure-Astropelago_visit=c' })).toEqual({})
})

test('R2 [A12] an answer keeps the service’s headers except those of its connection', () => {
  expect(
    answerHeaders({
      'content-type': 'text/html',
      'astropelago-relay-error': 'refused',
      'alt-svc': 'h3=":443"',
      connection: 'close, X-Hop',
      'keep-alive': 'timeout=5',
      'proxy-authenticate': 'Basic',
      'proxy-connection': 'close',
      te: 'gzip',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      'x-hop': 'here',
      'x-powered-by': 'a Pi',
    }),
  ).toEqual({ 'content-type': 'text/html', 'x-powered-by': 'a Pi' })
})

test('R52 a service can’t control the proxy in front of this server', () => {
  for (const name of [
    'x-accel-redirect',
    'x-lighttpd-send-file',
    'x-lighttpd-send-tempfile',
    'x-reproxy-url',
    'x-sendfile',
    'x-sendfile2',
  ]) {
    expect(answerHeaders({ [name]: '/etc/passwd', 'x-accel-buffering': 'no' })).toEqual({
      'x-accel-buffering': 'no',
    })
  }
})

test.each([
  ['"cookies"', undefined],
  ['"cache", "cookies","storage"', '"cache", "storage"'],
  ['"*"', '"cache", "storage", "executionContexts", "clientHints"'],
  ['"storage", "executionContexts"', '"storage", "executionContexts"'],
  ['', undefined],
])('R52 S55 a service that clears %s in browsers clears no cookies of others', (said, passed) => {
  expect(answerHeaders({ 'clear-site-data': said })['clear-site-data']).toBe(passed)
})

test('S55 a service’s cookies are only for its own host, and none has one of our names', () => {
  expect(
    answerHeaders({
      'set-cookie': [
        'sid=1; Domain=isles.example; Path=/; HttpOnly',
        'a=b;domain = .isles.example',
        'c=d; DOMAIN',
        'e=domain=x; Max-Age=5',
        '__Host-astropelago_visit=forged; Secure; Path=/',
        ' astropelago_session=forged',
      ],
    }),
  ).toEqual({
    'set-cookie': ['sid=1; Path=/; HttpOnly', 'a=b', 'c=d', 'e=domain=x; Max-Age=5'],
  })
})

describe('[A13] a redirect', () => {
  const own = 'https://bar.isles.example'
  const service = { origin: 'http://localhost:8096', host: null }
  const lan = { origin: 'http://nas.lan:8096', host: null }
  const named = { origin: 'http://localhost:8096', host: 'app.local:81' }
  const byTls = { origin: 'https://localhost', host: 'app.local' }
  const folder = { origin: null, host: null }

  test.each([
    ['to the service’s address', service, 'http://localhost:8096/a?b=c#d', `${own}/a?b=c#d`],
    ['to the service by TLS', service, 'https://localhost:8096/a', `${own}/a`],
    ['to another name of that machine', service, 'http://127.0.0.1:8096/a', `${own}/a`],
    ['to its IPv6 address', service, 'http://[::1]:8096', `${own}/`],
    ['without a scheme', service, '//localhost:8096/a', `${own}/a`],
    ['of a service on another machine', lan, 'http://nas.lan:8096/', `${own}/`],
    ['of that service to its own localhost', lan, 'http://localhost:8096/login', `${own}/login`],
    ['to the standard port of its scheme', byTls, 'https://127.0.0.1/a', `${own}/a`],
    ['to the name in --host-header', named, 'http://app.local:81/a', `${own}/a`],
    ['to that name with any port', byTls, 'https://app.local:8443/a', `${own}/a`],
    ['to the island by http', folder, 'http://bar.isles.example/a', `${own}/a`],
  ])('%s leads to the island', (_, of, location, expected) => {
    expect(visitorsLocation(location, of, visit)).toBe(expected)
  })

  test.each([
    ['to another port', service, 'http://localhost:1/a'],
    ['to the service’s port of another machine', service, 'http://nas.lan:8096/a'],
    ['to another port of a service’s own localhost', lan, 'http://[::1]:1/'],
    ['to another host', service, 'https://example.org/a'],
    ['to a host that begins like loopback', service, 'http://127.0.0.1.example.org:8096/'],
    ['that is relative', service, '/a'],
    ['that is no address', service, 'http://['],
    ['to a program', service, 'steam://localhost:8096/'],
    ['of a folder to localhost', folder, 'http://localhost/a'],
    ['to the island by https', folder, `${own}/a`],
  ])('%s stays', (_, of, location) => {
    expect(visitorsLocation(location, of, visit)).toBe(location)
  })

  test('by http stays by http if the visitor came by http', () => {
    const byHttp = { scheme: 'http', authority: 'bar.localhost:3000' }
    expect(visitorsLocation('http://localhost:8096/a', service, byHttp)).toBe(
      'http://bar.localhost:3000/a',
    )
  })
})
