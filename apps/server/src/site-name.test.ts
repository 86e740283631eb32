import { updateStatusPage } from '@astropelago/contract/status-pages'
import { expect, test } from 'vitest'
import { accountMails } from './features/accounts/account-mails.ts'
import { siteLogoPath } from './http/page-html.ts'
import { publishTestIsland } from './test/api-islands.ts'
import { createTestApp } from './test/create-test-app.ts'
import { makeWebDir } from './test/make-web-dir.ts'

const name = 'Sky <b> & "Sea" $&'
const escaped = 'Sky &lt;b&gt; &amp; &quot;Sea&quot; $&amp;'
const svg = {
  type: 'image/svg+xml',
  content: Buffer.from('<svg><script>1</script></svg>'),
} as const

test('the name of the installation is on its pages and in its manifest, always as text', async () => {
  const { inject, signUp } = await createTestApp({
    webDir: await makeWebDir(),
    config: { siteName: name },
  })
  const app = await inject({ url: '/account' })
  expect(app.body).toContain(`<title>${escaped}</title>`)
  expect(app.body).toContain(`data-name="${escaped}" data-logo="/logo.svg"`)
  expect(app.body).not.toContain('ASTROPELAGO_')
  const manifest = await inject({ url: '/manifest.webmanifest' })
  expect(manifest.headers['content-type']).toContain('application/manifest+json')
  expect(manifest.json()).toEqual({ name, short_name: name, scope: '/' })

  const host = await signUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: true })
  const page = (await inject({ url: `/islands/${island.slug}` })).body
  for (const part of [
    `<title>Harbor Bar · ${escaped}</title>`,
    `<meta property="og:site_name" content="${escaped}">`,
    `<header><a href="/">${escaped}</a></header>`,
    `More islands on ${escaped}`,
  ]) {
    expect(page).toContain(part)
  }
  expect(page).not.toContain(name)
  await host.inject({ method: 'PATCH', url: updateStatusPage.path, payload: { isOn: true } })
  const status = await inject({ url: `/status/${host.username}` })
  expect(status.body).toContain(`rel="noopener">${escaped}</a>`)
  const feed = await inject({ url: `/feeds/islands/${island.slug}/status.atom` })
  expect(feed.body).toContain(`<author><name>${escaped}</name></author>`)
})

test('mails end with the name of the installation', () => {
  const mails = accountMails('https://sky.example', 'Harbour Sky')
  const { subject, text } = mails.passwordChanged({ username: 'ada', address: 'ada@example.org' })
  expect(subject).toBe('Your password was changed · Harbour Sky')
  expect(text).toMatch(/\n\nHarbour Sky at https:\/\/sky\.example\n$/)
})

test('S25 the logo has its own address, and can do nothing when it is opened as a document', async () => {
  const { inject } = await createTestApp({
    webDir: await makeWebDir(),
    config: { siteLogo: svg },
  })
  const path = siteLogoPath(svg)
  expect((await inject({ url: '/account' })).body).toContain(`data-logo="${path}"`)
  const answer = await inject({ url: path })
  expect(answer.rawPayload).toEqual(svg.content)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  })
  const png = { type: 'image/png', content: svg.content } as const
  expect(siteLogoPath(png)).toMatch(/^\/assets\/logo-[\da-f]{16}\.png$/)
  expect((await inject({ url: siteLogoPath(png) })).statusCode).toBe(404)
})

test('without a setting the name is Astropelago, also in the manifest', async () => {
  const { inject } = await createTestApp({ webDir: await makeWebDir() })
  expect((await inject({ url: '/account' })).body).toContain('<title>Astropelago</title>')
  expect((await inject({ url: '/manifest.webmanifest' })).json()).toMatchObject({
    name: 'Astropelago',
  })
})
