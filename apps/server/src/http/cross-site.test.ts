import { describe, expect, test } from 'vitest'
import { listOwnDevices, registerTestDevice } from '../test/api-devices.ts'
import { contractRoutes, routeName } from '../test/contract-routes.ts'
import { createTestApp } from '../test/create-test-app.ts'

const publicUrl = 'http://localhost:3000'

describe('S15 an unsafe call', () => {
  test.each([
    ['pi.lan:3000', 'http://pi.lan:3000', 200],
    ['192.168.0.7', 'http://192.168.0.7', 200],
    ['pi.lan:3000', 'http://evil.example', 403],
    ['rebound.example', 'http://rebound.example', 403],
  ])('S61 to %s from %s, without PUBLIC_URL, gets %i', async (host, origin, status) => {
    const { signUp } = await createTestApp({ config: { hasPublicUrl: false } })
    const { inject } = await signUp()
    const headers = { host, origin }
    const response = await inject({ method: 'PATCH', url: '/api/me', payload: {}, headers })
    expect(response.statusCode === 403).toBe(status === 403)
  })

  test.each<[string, Record<string, string>, 200 | 403]>([
    ['of this site’s page', { 'sec-fetch-site': 'same-origin', origin: publicUrl }, 200],
    ['typed by the user', { 'sec-fetch-site': 'none' }, 200],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of a sibling site', { 'sec-fetch-site': 'same-site' }, 403],
    [
      'of another site that names this origin',
      { 'sec-fetch-site': 'cross-site', origin: publicUrl },
      403,
    ],
    ['with an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'Same-Origin' }, 403],
    ['with an empty Sec-Fetch-Site', { 'sec-fetch-site': '' }, 403],
    ['of an older browser on this site', { origin: publicUrl }, 200],
    ['of an older browser on another site', { origin: 'https://evil.example' }, 403],
    ['of another port', { origin: 'http://localhost:3001' }, 403],
    ['of a site whose name begins like ours', { origin: `${publicUrl}.evil.example` }, 403],
    ['of the other scheme', { origin: 'https://localhost:3000' }, 403],
    ['of a sandboxed frame', { origin: 'null' }, 403],
    ['with an empty Origin', { origin: '' }, 403],
    ['of a tool that sends neither', {}, 200],
    ['of a tool whose Host is another', { host: 'evil.example' }, 200],
  ])('%s', async (_, headers, status) => {
    const { signUp } = await createTestApp()
    const owner = await signUp()
    const { id } = await registerTestDevice(owner)
    const url = `/api/devices/${id}`
    const payload = { label: 'Roof' }
    const response = await owner.inject({ method: 'PATCH', url, payload, headers })
    expect(response.statusCode).toBe(status)
    const [device] = await listOwnDevices(owner)
    expect(device?.label).toBe(status === 200 ? 'Roof' : 'Pi')
  })

  test('S15 is refused on every route, before the caller is identified', async () => {
    const { inject } = await createTestApp()
    const unsafe = contractRoutes.filter(({ method }) => method !== 'GET')
    for (const route of unsafe) {
      const headers = { 'sec-fetch-site': 'cross-site' }
      const response = await inject({ method: route.method, url: route.path, headers })
      expect([routeName(route), response.statusCode]).toEqual([routeName(route), 403])
      expect(response.json()).toMatchObject({ code: 'cross_site' })
    }
  })
})

test('any site may read a public list', async () => {
  const { inject } = await createTestApp()
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://friend.example' }
  const response = await inject({ url: '/api/devices', headers })
  expect(response.statusCode).toBe(200)
})

test('no answer lets another site read data behind a cookie', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' }
  for (const url of ['/api/me', '/api/me/devices']) {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const response = await inject({ method, url, headers })
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  }
})
