import { expect, test } from 'vitest'
import { createTestApp, shareTestApp } from '../../test/create-test-app.ts'

const url = '/api/auth/logout'
const publicUrl = 'http://localhost:3000'
const options = { config: { publicUrl } }
const cleared = [
  expect.objectContaining({ name: 'astropelago_session', value: '', maxAge: 0 }),
  expect.objectContaining({ name: 'astropelago_signed_in', value: '', maxAge: 0 }),
]

async function signedIn() {
  const { signUp } = await shareTestApp(options)
  const { inject } = await signUp()
  const isSignedIn = async () => (await inject({ url: '/api/me' })).statusCode === 200
  return { inject, isSignedIn }
}

test.each([
  ['fetch of the own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ['curl', { accept: '*/*' }],
  ['a page over plain http', { referer: `${publicUrl}/account` }],
])(
  'S14 log out by %s is 204, clears the cookies, and a replayed one gets 401',
  async (_, headers) => {
    const { inject, isSignedIn } = await signedIn()
    const response = await inject({ url, headers })
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(response.cookies).toEqual(cleared)
    expect(await isSignedIn()).toBe(false)
  },
)

test.each([
  ['a typed address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a browser without Sec-Fetch headers', { accept: 'text/html,*/*;q=0.8' }],
])('logging out by %s redirects to /', async (_, headers) => {
  const { inject, isSignedIn } = await signedIn()
  const response = await inject({ url, headers })
  expect(response.statusCode).toBe(303)
  expect(response.headers.location).toBe('/')
  expect(response.cookies).toEqual(cleared)
  expect(await isSignedIn()).toBe(false)
})

test('S17 a link that a user wrote on one of our pages revokes nothing', async () => {
  const { inject, isSignedIn } = await signedIn()
  const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  const response = await inject({ url, headers })
  expect(response.statusCode).toBe(303)
  expect(response.cookies).toEqual([])
  expect(await isSignedIn()).toBe(true)
})

test.each([
  ['a cross-site link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a cross-site image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ['a cross-site frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
  ['a same-site page', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
  ['a prefetch', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }],
  ['a prerender', { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }],
  ['an old prefetch', { purpose: 'prefetch' }],
  ['a foreign Referer over plain http', { referer: 'https://evil.example/' }],
  ['a Referer that only looks alike', { referer: 'http://localhost:3000.evil.example/' }],
  ['a Referer of another port', { referer: 'http://localhost:3001/' }],
])('S17 %s revokes nothing', async (_, headers) => {
  const { inject, isSignedIn } = await signedIn()
  const response = await inject({ url, headers })
  expect(response.statusCode).toBe(403)
  expect(response.json()).toEqual({ error: 'cross_site', code: 'cross_site' })
  expect(response.cookies).toEqual([])
  expect(await isSignedIn()).toBe(true)
})

test.each(['HEAD', 'OPTIONS', 'POST'] as const)('S17 %s revokes nothing', async (method) => {
  const { inject, isSignedIn } = await signedIn()
  const response = await inject({ url, method, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(response.statusCode).toBe(method === 'HEAD' ? 403 : 404)
  expect(response.cookies).toEqual([])
  expect(await isSignedIn()).toBe(true)
})

test('logging out without a session is 204 and clears any cookies', async () => {
  const { inject } = await createTestApp()
  const response = await inject({ url, headers: { cookie: 'astropelago_signed_in=1' } })
  expect(response.statusCode).toBe(204)
  expect(response.cookies).toEqual(cleared)
})

test('S23 a stranger’s logout or a device token ends nobody else’s session', async () => {
  const { signUp, inject } = await createTestApp()
  const owner = await signUp()
  const stranger = await signUp()
  await stranger.inject({ url })
  await inject({ url, headers: { authorization: `Bearer apd_${'A'.repeat(43)}` } })
  expect((await owner.inject({ url: '/api/me' })).statusCode).toBe(200)
})
