import { expect, test } from './harness/test.ts'

const maxShareBytes = 150_000

/** Width and height of a PNG, from its header. */
function sizeOf(png: Buffer): readonly [number, number] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('a shared link has a picture of 1200 x 630 and less than 150 kB, at the public address', async ({
  request,
  baseURL,
}) => {
  for (const path of ['/', '/explore']) {
    const html = await (await request.get(path)).text()
    expect(html).toContain(`<meta property="og:image" content="${baseURL}/share-picture.png" />`)
  }
  const answer = await request.get('/share-picture.png')
  expect(answer.headers()['content-type']).toBe('image/png')
  const picture = await answer.body()
  expect(sizeOf(picture)).toEqual([1200, 630])
  expect(picture.length).toBeLessThan(maxShareBytes)
})

test('the manifest’s icons exist and have its sizes', async ({ page, request }) => {
  await page.goto('/explore')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await request.get(href ?? '')
  expect(answer.headers()['content-type']).toMatch(/^application\/manifest\+json/)
  const { icons, name } = await answer.json()
  expect(name).toBe('Astropelago')
  const sizes: string[] = []
  for (const { src, sizes: size, type } of icons) {
    const icon = await request.get(src)
    expect(icon.headers()['content-type']).toContain(type)
    if (type === 'image/png') expect(sizeOf(await icon.body()).join('x')).toBe(size)
    sizes.push(size)
  }
  expect(sizes).toEqual(['any', '192x192', '512x512', '512x512'])

  const touchIcon = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  expect(sizeOf(await (await request.get(touchIcon ?? '')).body())).toEqual([180, 180])
})

test('robots.txt allows everything except the API, and names the sitemap', async ({
  request,
  baseURL,
}) => {
  const answer = await request.get('/robots.txt')
  expect(answer.headers()['content-type']).toContain('text/plain')
  expect(await answer.text()).toBe(
    `User-agent: *\nDisallow: /api\nSitemap: ${baseURL}/sitemap.xml\n`,
  )
})
