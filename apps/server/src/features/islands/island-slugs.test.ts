import { checkSlug, type OwnIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { makeTestIsland, newSlug, publishTestIsland, viewIsland } from '../../test/api-islands.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'

const openly = { access: 'public', isListed: true } as const
const dayMs = 86_400_000

const post = ({ inject }: TestBrowser, path: string, payload: object) =>
  inject({ method: 'POST', url: `/api/islands${path}`, payload })
const check = async ({ inject }: TestBrowser, slug: string) => {
  const response = await inject({ url: `/api/me/slugs/${encodeURIComponent(slug)}` })
  return v.parse(checkSlug.answers[200], response.json())
}

async function setUp() {
  const testApp = await createTestApp()
  const [host, guest] = [await testApp.signUp(), await testApp.signUp()]
  return { ...testApp, host, guest }
}

describe('slugs', () => {
  test('of drafts become plain by publishing, and S60 another user’s current and old ones stay taken', async () => {
    const { host, guest, inject } = await setUp()
    const slug = newSlug()
    const { id } = await publishTestIsland(host, openly, { slug })
    expect(await viewIsland({ inject }, slug.toUpperCase())).toMatchObject({ id, slug })
    const other = await makeTestIsland(guest, { slug })
    for (const asked of [slug, slug.replace('-', ''), slug.replace('isle', 'is1e')]) {
      expect(await check(guest, asked)).toEqual({
        isFree: false,
        sentence: 'Another island has this address, or one that looks like it.',
      })
      const refused = await post(guest, `/${other.id}/publish`, { ...openly, slug: asked })
      expect(refused.statusCode).toBe(409)
    }
    const refused = await post(guest, `/${other.id}/publish`, openly)
    expect(refused.json()).toMatchObject({ code: 'slug_taken' })
    expect(await viewIsland(guest, other.slug)).toMatchObject({ role: 'host' })
    expect(await check(guest, newSlug())).toEqual({ isFree: true, sentence: null })
    expect((await check(guest, 'admin')).isFree).toBe(false)
  })

  test('S54 can be checked without revealing islands that not everybody may see', async () => {
    const { host, guest } = await setUp()
    const slug = newSlug()
    const { slug: secret } = await publishTestIsland(
      host,
      { access: 'members', isListed: false },
      { slug },
    )
    expect(secret).toMatch(/-[a-z0-9]{6}$/)
    expect(await check(guest, slug)).toEqual({ isFree: true, sentence: null })
    expect(await check(guest, secret)).toEqual(await check(guest, `${newSlug()}-x1y2z3`))
  })

  test('that were replaced lead to the island for 90 days', async () => {
    const { signUp, inject, clock } = await createTestApp({})
    const host = await signUp()
    const old = newSlug()
    const { id } = await publishTestIsland(host, openly, { slug: old })
    const slug = newSlug()
    const renamed = (await post(host, `/${id}/slug`, { slug })).json<OwnIsland>()
    const until = new Date(clock.now() + 90 * dayMs).toISOString()
    expect(renamed).toMatchObject({ slug, oldSlugs: [{ slug: old, until }] })
    clock.move(90 * dayMs - 1)
    expect(await viewIsland({ inject }, old)).toMatchObject({ id, slug })
    clock.move(1)
    expect(await viewIsland({ inject }, old)).toBeUndefined()
    expect(await viewIsland({ inject }, slug)).toBeDefined()
  })
})

test('S60 slugs cut from a long wish are refused if they look like the site’s own or a draft’s', async () => {
  const { host } = await setUp()
  for (const slug of ['a-d-m-i-n-i-s-t-r-a-t-o-r-xyz', 'abcdefghijklmnopqr-ab12cdzz']) {
    const { id } = await makeTestIsland(host, { slug })
    const refused = await post(host, `/${id}/publish`, openly)
    expect(refused.json()).toMatchObject({ code: 'slug_taken' })
  }
})

test('S54 slugs stay random if not everybody may see the island any more, since plain ones can be checked', async () => {
  const { host, guest } = await setUp()
  const { id, slug } = await publishTestIsland(host, openly)
  const hidden = await post(host, `/${id}/publish`, { access: 'invited', isListed: false })
  expect(hidden.json()).toMatchObject({ slug })
  const wish = newSlug()
  const renamed = (await post(host, `/${id}/slug`, { slug: wish })).json<OwnIsland>()
  expect(renamed.slug).toMatch(new RegExp(`^${wish}-[a-z0-9]{6}$`))
  expect(await check(guest, wish)).toEqual({ isFree: true, sentence: null })
})

test('the slug has to be typed to close an island for good', async () => {
  const { host, inject, guest } = await setUp()
  const { id, slug } = await publishTestIsland(host, openly)
  const refused = await post(host, `/${id}/close`, { slug: `${slug} ` })
  expect(refused.json()).toMatchObject({ code: 'invalid_input' })
  expect((await post(host, `/${id}/close`, { slug })).statusCode).toBe(204)
  expect(await viewIsland({ inject }, slug)).toBeUndefined()
  expect(await viewIsland(host, slug)).toBeUndefined()
  expect((await check(guest, slug)).isFree).toBe(false)
  expect((await check(host, slug)).isFree).toBe(true)
})
