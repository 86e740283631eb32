import { expect, test } from 'vitest'
import { makeWebDir } from '../../../test/make-web-dir.ts'
import { createRelayApp } from '../../../test/relay-app.ts'

test('pages at any island’s host name load their fonts from there', async () => {
  const { visit } = await createRelayApp({ webDir: await makeWebDir() })
  const page = await visit({ headers: { accept: 'text/html' } })
  expect(page.headers['content-security-policy']).toContain("font-src 'self'")
  const [, path = ''] = /rel="preload"[^>]*href="([^"]+)"/.exec(page.body) ?? []
  expect(page.body).toContain(`src:url(${path})`)
  for (const host of [undefined, 'nothing-here.localhost']) {
    const font = await visit({ path, ...(host !== undefined && { host }) })
    expect([font.status, font.body]).toEqual([200, 'a font'])
    expect(font.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
  expect((await visit({ path: path.replace('inter', 'other') })).status).toBe(404)
})
