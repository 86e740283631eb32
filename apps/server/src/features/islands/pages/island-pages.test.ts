import { pages } from '@astropelago/contract/pages'
import { publishIsland, renameSlug, updateIsland } from '@astropelago/contract/islands'
import { afterAll, describe, expect, test } from 'vitest'
import {
  islandDetails,
  newSlug,
  publishTestIsland,
  makeTestIsland,
} from '../../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../../test/create-test-app.ts'
import { makeWebDir } from '../../../test/make-web-dir.ts'

const publicUrl = 'https://sky.example'
const pngStart = Buffer.from('89504e470d0a1a0a', 'hex')

const options: TestAppOptions = {
  webDir: await makeWebDir({}, afterAll),
  config: { publicUrl },
  makesLounge: true,
}

async function setUp(open: typeof shareTestApp = shareTestApp) {
  const app = await open(options)
  const host = await app.signUp()
  return { ...app, host }
}

/** A page's status, headers and body, without nonces. */
async function pageOf({ inject }: Pick<TestBrowser, 'inject'>, slug: string) {
  const response = await inject({ url: `/islands/${slug}` })
  const { statusCode, headers, body } = response
  return { statusCode, headers, body: body.replaceAll(/nonce="[^"]*"/g, '') }
}

const listed = { access: 'public', isListed: true } as const
const byLink = { access: 'public', isListed: false } as const
const forMembers = { access: 'invited', isListed: false } as const

describe('the front page in HTML', () => {
  test('has title, description, canonical address, link picture and text', async () => {
    const { host, inject } = await setUp()
    const { slug } = await publishTestIsland(host, listed, { rules: 'Be kind.' })
    const { statusCode, body } = await pageOf({ inject }, slug)
    expect(statusCode).toBe(200)
    const address = `${publicUrl}/islands/${slug}`
    for (const text of [
      '<title>Harbor Bar · Astropelago</title>',
      '<meta name="description" content="A bar with a view">',
      `<link rel="canonical" href="${address}">`,
      `<meta property="og:image" content="${address}/picture.png">`,
      '<h1 dir="auto">Harbor Bar</h1>',
      'Social space · Open, not watched',
      `Hosted by <bdi>${host.username}</bdi>`,
      'Come in.',
      '<h2>Rules of this island</h2><p class="prerendered-about" dir="auto">Be kind.</p>',
      '<a href="https://bar.example/" target="_blank" rel="noopener noreferrer nofollow ugc">Enter at bar.example</a>',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).not.toContain('noindex')
    expect(body.match(/<title>|rel="canonical"/g)).toHaveLength(2)
  })

  test('preloads the page’s own code for islands that the reader may see', async () => {
    const { host, inject } = await setUp()
    const [open, closed] = [
      await publishTestIsland(host, listed),
      await publishTestIsland(host, forMembers),
    ]
    const preload = '<link rel="modulepreload" href="/assets/island-abc123.js">'
    expect((await pageOf({ inject }, open.slug)).body).toContain(preload)
    expect((await pageOf(host, open.slug)).body).toContain(preload)
    expect((await pageOf({ inject }, closed.slug)).body).not.toContain(preload)
  })

  test('shows the text of a paused island’s host, without a link', async () => {
    const { host, inject, clock } = await setUp()
    const { id, slug } = await publishTestIsland(host, listed)
    const until = new Date(clock.now() + 60_000).toISOString()
    const payload = { text: 'A <new> disk', until }
    await host.inject({ method: 'POST', url: `/api/islands/${id}/pause`, payload })
    const { body } = await pageOf({ inject }, slug)
    expect(body).toContain('Social space · Paused')
    expect(body).toContain(`A &lt;new&gt; disk</p><p>Back at <time datetime="${until}">`)
    expect(body).not.toContain('Enter at')
  })

  test('asks search engines to leave out an island that is not listed', async () => {
    const { host, inject } = await setUp()
    const { slug } = await publishTestIsland(host, byLink)
    const { body } = await pageOf({ inject }, slug)
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).toContain('Harbor Bar')
  })

  test('S25 shows whatever users wrote as text, and never with the nonce', async () => {
    const { host, inject } = await setUp()
    const sign = `"><img src=x onerror=alert(1)> $& $' ASTROPELAGO_NONCE </title>`
    const { slug } = await publishTestIsland(host, listed, {
      name: sign.slice(0, 64),
      tagline: sign,
      about: sign,
    })
    const { body } = await inject({ url: `/islands/${slug}` })
    expect(body).not.toContain('<img')
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt; $&amp; $&#39; ASTROPELAGO_NONCE')
    expect(body.match(/<\/title>/g)).toHaveLength(1)
  })

  test('is the app for a signed-in user, drawn by the app', async () => {
    const { host } = await setUp()
    const { slug } = await publishTestIsland(host, listed)
    const { statusCode, body } = await pageOf(host, slug)
    expect(statusCode).toBe(200)
    expect(body).not.toContain('Harbor Bar')
  })

  test('S23 is that of a missing island if the user may not see the island', async () => {
    const { host, inject, signUp } = await setUp()
    const [stranger, draft, invited] = [
      await signUp(),
      await makeTestIsland(host),
      await publishTestIsland(host, forMembers),
    ]
    for (const visitor of [{ inject }, stranger]) {
      const missing = await pageOf(visitor, 'no-such-island-there')
      expect(missing.statusCode).toBe(404)
      for (const { slug } of [draft, invited]) {
        const { statusCode, body, headers } = await pageOf(visitor, slug)
        expect({ statusCode, body }).toEqual({ statusCode: 404, body: missing.body })
        expect(Object.keys(headers)).toEqual(Object.keys(missing.headers))
      }
    }
    const picture = await inject({ url: `/islands/${invited.slug}/picture.png` })
    const missing = await inject({ url: '/islands/no-such-island-there/picture.png' })
    expect([picture.statusCode, picture.body]).toEqual([missing.statusCode, missing.body])
    expect(picture.statusCode).toBe(404)
    expect((await pageOf(host, draft.slug)).statusCode).toBe(200)
  })
})

describe('the link picture', () => {
  test('is a PNG of 1200 by 630, cached by its ETag', async () => {
    const { host, inject } = await setUp()
    const { id, slug } = await publishTestIsland(host, byLink)
    const url = `/islands/${slug}/picture.png`
    const first = await inject({ url })
    expect(first.statusCode).toBe(200)
    expect(first.headers['content-type']).toBe('image/png')
    expect(first.headers['x-robots-tag']).toBe('noindex')
    expect(first.rawPayload.subarray(0, 8)).toEqual(pngStart)
    expect(first.rawPayload.readUInt32BE(16)).toBe(1200)
    expect(first.rawPayload.readUInt32BE(20)).toBe(630)
    const etag = String(first.headers.etag)
    const again = await inject({ url, headers: { 'if-none-match': etag } })
    expect(again.statusCode).toBe(304)

    const renamed = updateIsland.path.replace(':id', id)
    await host.inject({ method: 'PATCH', url: renamed, payload: { name: 'Other Bar' } })
    const other = await inject({ url, headers: { 'if-none-match': etag } })
    expect(other.statusCode).toBe(200)
    expect(other.rawPayload).not.toEqual(first.rawPayload)
    await host.inject({ method: 'PATCH', url: renamed, payload: { picture: 7 } })
    const repainted = await inject({ url })
    expect(repainted.rawPayload).not.toEqual(other.rawPayload)
  })
})

describe('slugs', () => {
  test('a bare slug leads to the island if everybody may see it', async () => {
    const { host, inject } = await setUp()
    const { slug } = await publishTestIsland(host, byLink)
    const { slug: secret } = await publishTestIsland(host, forMembers)
    const lead = await inject({ url: `/${slug}` })
    expect([lead.statusCode, lead.headers['location']]).toEqual([302, `/islands/${slug}`])
    for (const path of [`/${secret}`, '/no-such-island', pages.discover]) {
      const response = await inject({ url: path })
      expect([path, response.statusCode]).toEqual([path, 200])
    }
  })

  test('an old slug leads to the new one for 90 days', async () => {
    const { host, inject, clock } = await setUp(createTestApp)
    const { id, slug: old } = await publishTestIsland(host, listed)
    const slug = newSlug()
    const url = renameSlug.path.replace(':id', id)
    expect((await host.inject({ method: 'POST', url, payload: { slug } })).statusCode).toBe(200)
    for (const rest of ['', '/picture.png']) {
      const moved = await inject({ url: `/islands/${old}${rest}` })
      expect([moved.statusCode, moved.headers['location']]).toEqual([
        301,
        `/islands/${slug}${rest}`,
      ])
    }
    expect((await inject({ url: `/${old}` })).headers['location']).toBe(`/islands/${slug}`)
    clock.move(90 * 86_400_000 + 1)
    expect((await inject({ url: `/islands/${old}` })).statusCode).toBe(404)
  })
})

test('the sitemap has listed islands and no others, as long as they are listed', async () => {
  const { host, inject } = await setUp()
  const island = await publishTestIsland(host, listed, { name: islandDetails.name })
  const others = [await publishTestIsland(host, byLink), await publishTestIsland(host, forMembers)]
  const read = async () => (await inject({ url: '/sitemap.xml' })).body
  const named = `<loc>${publicUrl}/islands/${island.slug}</loc>`
  expect(await read()).toContain(named)
  expect(await read()).toContain(`<loc>${publicUrl}/explore</loc>`)
  for (const { slug } of others) expect(await read()).not.toContain(slug)
  const url = publishIsland.path.replace(':id', island.id)
  await host.inject({ method: 'POST', url, payload: byLink })
  await expect.poll(read, { timeout: 10_000 }).not.toContain(named)
  const robots = await inject({ url: '/robots.txt' })
  expect(robots.body).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
})
