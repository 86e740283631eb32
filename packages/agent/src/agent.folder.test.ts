import { link, mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeerSession } from './testing/peer-session.ts'
import { ask, askThrough, RelayPeer } from './testing/relay-peer.ts'
import { runAgent, type RunningAgent } from './testing/run-agent.ts'

let base: string
let peer: RelayPeer
let plain: PeerSession
let listing: PeerSession
const agents: RunningAgent[] = []
const text = '0123456789'

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'astropelago-folder-'))
  const site = join(base, 'site')
  for (const folder of ['sub', 'empty/inner', '.git', 'GIT~1', 'a b & <i>']) {
    await mkdir(join(site, folder), { recursive: true })
  }
  for (const [name, content] of [
    ['../secret.txt', 'top secret'],
    ['../site-2.txt', 'top secret'],
    ['index.html', '<h1>Home</h1>'],
    ['text.txt', text],
    ['nothing.css', ''],
    ['.env', 'top secret'],
    ['.git/config', 'top secret'],
    ['sub/index.html', 'sub'],
    ['a b & <i>/<script>.txt', 'odd'],
    ['über.txt', 'umlaut'],
    ['100%.txt', 'percent'],
    ['draft~1.txt', 'draft'],
    ['ENV~1', 'top secret'],
    ['GIT~1/config', 'top secret'],
    ['\u200c.env', 'top secret'],
  ] as const) {
    await writeFile(join(site, name), content)
  }
  await symlink('../secret.txt', join(site, 'link.txt'))
  await symlink('..', join(site, 'up'))
  await symlink('.git', join(site, 'hidden'))
  await symlink('text.txt', join(site, 'inside.txt'))
  await symlink('loop', join(site, 'loop'))
  await symlink('sub/relay-token', join(site, 'linked-token'))
  execFileSync('mkfifo', [join(site, 'pipe')])
  await utimes(join(site, 'text.txt'), 1_700_000_000, 1_700_000_000)

  peer = await RelayPeer.start()
  const folder = ['--server', peer.url, '--folder', site]
  // Names by which FAT finds `.env` and `.git`, and HFS+ the first of them.
  const unlisted = ['ENV~1', 'GIT~1', '\u200c.env']
  agents.push(await runAgent(folder, { unlisted }))
  plain = await peer.connected()
  // As if a whole home folder with the token were served.
  const tokenFile = join(site, 'sub', 'relay-token')
  await writeFile(tokenFile, 'apd_test-token\n', { mode: 0o600 })
  await writeFile(join(site, 'sub', 'other.relay-token'), 'apd_other-token\n', { mode: 0o600 })
  await writeFile(join(site, 'sub', 'other.relay-token-agent-id-other'), 'x')
  agents.push(await runAgent([...folder, '--list'], { tokenFile, unlisted }))
  listing = await peer.connected()
  await link(tokenFile, join(site, 'same-token'))
  // The agent's own files if the file system ignores case.
  await writeFile(join(site, 'sub/Relay-Token'), '', { flag: 'a' })
  await writeFile(join(site, 'sub/RELAY-TOKEN-AGENT-ID'), '', { flag: 'a' })
})

afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await peer.close()
  await rm(base, { recursive: true })
})

describe('[A19] a folder', () => {
  test.each([
    ['/', 200, '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/index.html?a=../b', 200, '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/text.txt', 200, text, 'text/plain; charset=utf-8'],
    ['/nothing.css', 200, '', 'text/css; charset=utf-8'],
    ['/sub/', 200, 'sub', 'text/html; charset=utf-8'],
    ['/inside.txt', 200, text, 'text/plain; charset=utf-8'],
    ['/%C3%BCber.txt', 200, 'umlaut', 'text/plain; charset=utf-8'],
    ['/100%25.txt', 200, 'percent', 'text/plain; charset=utf-8'],
    ['/draft~1.txt', 200, 'draft', 'text/plain; charset=utf-8'],
    ['/a%20b%20&%20%3Ci%3E/%3Cscript%3E.txt', 200, 'odd', 'text/plain; charset=utf-8'],
  ])('gives %s', async (path, status, body, type) => {
    const answer = await ask(plain, path)
    expect([answer.status, answer.body.toString(), answer.headers['content-type']]).toEqual([
      status,
      body,
      type,
    ])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test.each([
    '/missing',
    '/text.txt/',
    '/text.txt/more',
    '/empty/',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/hidden/config',
    '/ENV~1',
    '/GIT~1/',
    '/GIT~1/config',
    '/%E2%80%8C.env',
    '/link.txt',
    '/up/secret.txt',
    '/up/',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/sub/..%2f..%2fsecret.txt',
    '/sub/../../secret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/../site-2.txt',
    '//etc/passwd',
    '/sub//index.html',
    '/text.txt%00.html',
    '/%ff',
    '/%',
    '/loop',
    '/pipe',
    `/${'x'.repeat(300)}`,
  ])('R46 does not serve %s', async (path) => {
    for (const session of [plain, listing]) {
      const answer = await ask(session, path)
      if (session === listing && path === '/empty/') continue
      expect([answer.status, answer.body.toString()]).toEqual([404, 'Not found'])
    }
  })

  test.each([
    '/sub/relay-token',
    '/linked-token',
    '/same-token',
    '/sub/Relay-Token',
    '/sub/relay-token-agent-id',
    '/sub/RELAY-TOKEN-AGENT-ID',
    '/sub/Other.relay-token',
    '/sub/other.relay-token',
    '/sub/other.relay-token-agent-id-other',
  ])('R46 does not serve %s, which belongs to this or another agent', async (path) => {
    expect((await ask(listing, path)).status).toBe(404)
  })

  test('redirects to a folder’s own address, and never to another host', async () => {
    const answer = await ask(plain, '/sub?a=b')
    expect([answer.status, answer.headers.location]).toEqual([301, '/sub/?a=b'])
    expect((await ask(plain, '//sub')).status).toBe(404)
  })

  test('R46 can only be read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ask(plain, '/text.txt', { method, body: 'x' })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
    }
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    expect((await ask(plain, '/socket', { headers })).status).toBe(404)
  })

  test('HEAD is GET without the body', async () => {
    const [head, get] = [
      await ask(plain, '/text.txt', { method: 'HEAD' }),
      await ask(plain, '/text.txt'),
    ]
    expect(head.body.length).toBe(0)
    const { date: _head, ...ofHead } = head.headers
    const { date: _get, ...ofGet } = get.headers
    expect(ofHead).toEqual(ofGet)
  })

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, text, 'bytes 0-9/10'],
    ['bytes=5-50', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, 'No such range', 'bytes */10'],
    ['bytes=-0', 416, 'No such range', 'bytes */10'],
    ['bytes=4-2', 200, text, undefined],
    ['bytes=0-1,4-5', 200, text, undefined],
    ['bytes=a-b', 200, text, undefined],
    ['lines=0-1', 200, text, undefined],
    ['bytes=-', 200, text, undefined],
  ])('serves the range %s', async (range, status, body, contentRange) => {
    const answer = await ask(plain, '/text.txt', { headers: { range } })
    expect([answer.status, answer.body.toString(), answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ])
  })

  test('serves a range only of the unchanged file', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await ask(plain, '/text.txt')).headers
    const rangeIf = async (condition: string) => {
      const headers = { range: 'bytes=0-0', 'if-range': condition }
      return (await ask(plain, '/text.txt', { headers })).status
    }
    expect(await rangeIf(etag)).toBe(206)
    expect(await rangeIf(modified)).toBe(206)
    expect(await rangeIf(`W/${etag}`)).toBe(200)
    expect(await rangeIf('"another"')).toBe(200)
    expect(await rangeIf('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(200)
  })

  test('answers 304 if nothing has changed', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await ask(plain, '/text.txt')).headers
    const status = async (headers: Record<string, string>) =>
      (await ask(plain, '/text.txt', { headers })).status
    expect(modified).toBe('Tue, 14 Nov 2023 22:13:20 GMT')
    expect(await status({ 'if-none-match': `"a", W/${etag}` })).toBe(304)
    expect(await status({ 'if-none-match': '*' })).toBe(304)
    expect(await status({ 'if-none-match': '"a"', 'if-modified-since': modified })).toBe(200)
    expect(await status({ 'if-modified-since': modified })).toBe(304)
    expect(await status({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200)
    expect(await status({ 'if-modified-since': 'never' })).toBe(200)
  })

  test('R46 is listed only with --list, with escaped names, and only what it serves', async () => {
    expect((await ask(plain, '/empty/')).status).toBe(404)
    const odd = (await ask(listing, '/a%20b%20&%20%3Ci%3E/')).body.toString()
    expect(odd).toContain('<a href="./%3Cscript%3E.txt">&#60;script&#62;.txt</a>')
    expect(odd).toContain('<h1>/a b &#38; &#60;i&#62;/</h1>')
    expect(odd).not.toContain('<script>')
    await rm(join(base, 'site/index.html'))
    const home = await ask(listing, '/')
    await writeFile(join(base, 'site/index.html'), '<h1>Home</h1>')
    const links = [...home.body.toString().matchAll(/href="([^"]+)"/g)].map(([, to]) => to)
    expect(links).toEqual([
      './100%25.txt',
      './a%20b%20%26%20%3Ci%3E/',
      './draft~1.txt',
      './empty/',
      './inside.txt',
      './nothing.css',
      './sub/',
      './text.txt',
      './%C3%BCber.txt',
    ])
    expect(home.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('[A14] cuts a file that shrinks while it is sent', async () => {
    const file = join(base, 'site/large.bin')
    await writeFile(file, Buffer.alloc(16 * 2 ** 20))
    const stream = plain.openStream('http')
    const request = askThrough(stream, '/large.bin').end()
    const [response]: IncomingMessage[] = await once(request, 'response')
    response?.on('error', () => undefined)
    const closed = once(stream, 'close')
    await truncate(file, 0)
    response?.resume()
    await closed
    expect([response?.complete, stream.word]).toEqual([false, 'reset'])
  })
})
