import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../test/main-thread-budget.ts'
import { namesOnce, readHost } from './read-host.ts'

const read = (host: string | readonly string[], url = '/', domain = 'localhost') =>
  readHost({ url, rawHeaders: [host].flat().flatMap((one) => ['Host', one]) }, domain)
const island = (authority: string, path = '/') => ({
  kind: 'island',
  slug: authority.split('.')[0],
  name: authority.replace(/:.*$/, ''),
  isOwnDomain: false,
  authority,
  path,
})

test.each([
  ['bar.localhost:3000', 'bar.localhost:3000'],
  ['BAR.LocalHost', 'bar.localhost'],
  ['bar.localhost.', 'bar.localhost'],
  ['bar.localhost.:80', 'bar.localhost:80'],
  ['bar.localhost:', 'bar.localhost'],
  ['nova-bar-x1y2z3.localhost', 'nova-bar-x1y2z3.localhost'],
])('R1 %s is the host of an island', (host, authority) => {
  expect(read(host)).toEqual(island(authority))
})

test.each([
  'localhost',
  'localhost:3000',
  'LOCALHOST.',
  'sky.example',
  'notlocalhost',
  'bar.localhost.evil.example',
  '127.0.0.1:3000',
  '[::1]:3000',
  '[::ffff:127.0.0.1]',
  '',
])('R1 %s is the site’s', (host) => {
  expect(read(host)).toEqual({ kind: 'site' })
})

test.each([
  'a.b.localhost',
  '.localhost',
  '-bar.localhost',
  'bar-.localhost',
  'b_r.localhost',
  'bär.localhost',
  'xn--a..localhost',
  'bar localhost.localhost',
  '[::1].localhost',
])('R1 neither an island nor the site is at %s', (host) => {
  expect(read(host)).toEqual({ kind: 'nobody' })
})

test('R1 an absolute target counts, and is passed on without its scheme and host', () => {
  expect(read('bar.localhost', 'http://BAR.localhost/a?b=c')).toEqual(
    island('bar.localhost', '/a?b=c'),
  )
  expect(read([], 'http://bar.localhost:3000?b')).toEqual(island('bar.localhost:3000', '/?b'))
  expect(read('localhost', 'http://localhost/a')).toEqual({ kind: 'site' })
})

test.each([
  ['two hosts, the island’s first', ['bar.localhost', 'localhost'], '/'],
  ['two hosts, the site’s first', ['localhost', 'bar.localhost'], '/'],
  ['the same island twice', ['bar.localhost', 'bar.localhost'], '/'],
  ['a target at an island under the site’s host', ['localhost'], 'http://bar.localhost/'],
  ['a target at the site under an island’s host', ['bar.localhost'], 'http://localhost/'],
  ['another island’s target', ['bar.localhost'], 'http://lab.localhost/'],
  ['another scheme', ['bar.localhost'], 'ftp://bar.localhost/'],
])('R1 %s is ambiguous', (_, hosts, url) => {
  expect(read(hosts, url)).toEqual({ kind: 'ambiguous' })
})

const readOwn = (host: string | readonly string[], url = '/') =>
  readHost(
    { url, rawHeaders: [host].flat().flatMap((one) => ['Host', one]) },
    'localhost',
    (name) => name === 'bar.example',
  )

test('R62 a domain of an island’s own is read like any host, and counts beside others', () => {
  const own = { kind: 'island', slug: 'bar.example', name: 'bar.example', isOwnDomain: true }
  for (const [host, authority] of [
    ['bar.example', 'bar.example'],
    ['BAR.Example.:8080', 'bar.example:8080'],
  ] as const) {
    expect(readOwn(host)).toEqual({ ...own, authority, path: '/' })
  }
  for (const host of ['x.bar.example', 'notbar.example', 'example', 'sky.example']) {
    expect(readOwn(host)).toEqual({ kind: 'site' })
  }
  for (const hosts of [
    ['bar.example', 'sky.example'],
    ['sky.example', 'bar.example'],
    ['bar.localhost', 'bar.example'],
  ]) {
    expect(readOwn(hosts)).toEqual({ kind: 'ambiguous' })
  }
  expect(readOwn('sky.example', 'http://bar.example/')).toEqual({ kind: 'ambiguous' })
})

test('R1 no spelling that browsers take for a host below the domain is the site’s', () => {
  const label = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/)
  const below = fc.tuple(label, fc.constantFrom('', '.'), fc.constantFrom('', ':', ':80', ':3000'))
  fc.assert(
    fc.property(below, ([slug, dot, port]) => {
      expect(read(`${slug}.isles.example${dot}${port}`, '/', 'isles.example').kind).toBe('island')
    }),
  )
})

const isNamed = (hosts: readonly string[], url = '/') =>
  namesOnce({ url, rawHeaders: hosts.flatMap((host) => ['HOST', host]) }, 'localhost')

test('R1 a known host is recognized only if it is named once and plainly', () => {
  expect(isNamed(['localhost'])).toBe(true)
  expect(isNamed(['localhost'], 'http://bar.localhost/')).toBe(false)
  for (const hosts of [
    [],
    ['bar.localhost'],
    ['localhost', 'bar.localhost'],
    ['localhost', 'localhost'],
  ]) {
    expect(isNamed(hosts)).toBe(false)
  }
})

test.each(['.', ':', '@', ':1', '.:', '-'])(
  'R1 S47 a host of nothing but %s takes linear time, whatever it ends in',
  (part) => {
    for (const end of ['x', '', '.isles.example']) {
      const host = part.repeat(16_000 / part.length) + end
      const since = process.threadCpuUsage()
      readHost({ rawHeaders: ['Host', host], url: `http://${host}/` }, 'isles.example')
      // Quadratic time would take ten times as long.
      expect(processorMs(since)).toBeLessThan(50)
    }
  },
)
