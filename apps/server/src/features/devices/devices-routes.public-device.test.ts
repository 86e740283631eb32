import { getPublicDevice } from '@astropelago/contract/devices'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp } from '../../test/create-test-app.ts'

/** So short that a test can let it pass without causing an outage. */
const onlineWindowMs = 5000

async function setUp(details: Readonly<Record<string, unknown>> = {}) {
  const testApp = await createTestApp({ config: { onlineWindowMs } })
  const [owner, stranger] = [await testApp.signUp('Nova'), await testApp.signUp()]
  const registered = await registerTestDevice(owner, details)
  const { token } = await createTestToken(owner, registered.id)
  const url = `/api/devices/${registered.id}`
  const isoNow = () => new Date(testApp.clock.now()).toISOString()
  return {
    ...testApp,
    owner,
    stranger,
    token,
    url,
    isoNow,
    registered,
    change: (payload: object) => owner.inject({ method: 'PATCH', url, payload }),
    beat: () => sendHeartbeat(testApp, token),
    /** As a visitor sees it. */
    shown: async () => {
      const response = await testApp.inject({ url })
      return v.parse(getPublicDevice.answers[200], response.json())
    },
  }
}

test('S24 everybody gets only the listed fields of a public device', async () => {
  const link = 'https://a.example/'
  const { inject, owner, stranger, token, url, registered, isoNow } = await setUp({ link })
  const { id } = registered
  const fields = { id, label: 'Pi', lat: 1.5, lon: -2.5, status: 'unknown', link }
  const headers = { authorization: `Bearer ${token}` }
  for (const response of [
    await inject({ url }),
    await inject({ url, headers }),
    await stranger.inject({ url }),
    await owner.inject({ url }),
  ]) {
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ ...fields, since: isoNow(), owner: null })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.cookies).toEqual([])
  }
})

test('S23 a private device is answered like a missing one, except to its owner', async () => {
  const { inject, owner, stranger, token, url } = await setUp({ visibility: 'private' })
  const missing = `/api/devices/${crypto.randomUUID()}`
  const headers = { authorization: `Bearer ${token}` }
  const asked = [
    (path: string) => inject({ url: path }),
    (path: string) => inject({ url: path, headers }),
    (path: string) => stranger.inject({ url: path }),
  ]
  for (const ask of asked) {
    const [hidden, none] = [await ask(url), await ask(missing)]
    expect(hidden.statusCode).toBe(404)
    expect(hidden.body).toBe(none.body)
    expect({ ...hidden.headers, date: '' }).toEqual({ ...none.headers, date: '' })
  }
  expect((await owner.inject({ url })).json()).toMatchObject({ label: 'Pi', status: 'unknown' })
  expect((await owner.inject({ url: missing })).statusCode).toBe(404)
})

describe('since', () => {
  test('is when an unknown device was registered, and for others their last flip', async () => {
    const { clock, shown, beat, isoNow } = await setUp()
    const madeAt = isoNow()
    clock.move(1000)
    expect(await shown()).toMatchObject({ status: 'unknown', since: madeAt })
    await beat()
    const onlineAt = isoNow()
    clock.move(2000)
    await beat()
    expect(await shown()).toMatchObject({ status: 'online', since: onlineAt })
    const lastSeenMs = clock.now()
    // After the deadline, whether or not the sweep has run ([P2]).
    clock.move(onlineWindowMs + 500)
    const since = new Date(lastSeenMs + onlineWindowMs).toISOString()
    expect(await shown()).toMatchObject({ status: 'offline', since })
  })

  test('S23 only the owner sees times from before the device was public', async () => {
    const { clock, shown, beat, change, owner, url, isoNow } = await setUp({
      visibility: 'private',
    })
    const madeAt = isoNow()
    clock.move(1000)
    await change({ visibility: 'public' })
    expect(await shown()).toMatchObject({ status: 'unknown', since: null })
    expect((await owner.inject({ url })).json()).toMatchObject({ since: madeAt })

    await beat()
    const onlineAt = isoNow()
    clock.move(1000)
    expect(await shown()).toMatchObject({ status: 'online', since: onlineAt })
    await change({ visibility: 'private' })
    clock.move(1000)
    await change({ visibility: 'public' })
    expect(await shown()).toMatchObject({ status: 'online', since: null })
    expect((await owner.inject({ url })).json()).toMatchObject({ since: onlineAt })
  })
})

test('the owner’s display name or username is shown if the owner allows it', async () => {
  const { owner, shown } = await setUp()
  const changeUser = (payload: object) => owner.inject({ method: 'PATCH', url: '/api/me', payload })
  expect(await shown()).toMatchObject({ owner: null })
  await changeUser({ isNamePublic: true })
  expect(await shown()).toMatchObject({ owner: 'Nova' })
  await changeUser({ name: 'Nova of the Isles' })
  expect(await shown()).toMatchObject({ owner: 'Nova of the Isles' })
  await changeUser({ isNamePublic: false })
  expect(await shown()).toMatchObject({ owner: null })
})
