import { expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'

const url = '/_spark/user'

test('S24 the user has only the listed fields, and is not stored by caches', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp('Nova')
  const unnamed = { username: 'Nova', name: null, avatar: null, login: 'Nova', avatarUrl: null }
  const response = await inject({ url })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual(unnamed)
  expect(response.headers['cache-control']).toBe('no-store')

  await inject({ method: 'PATCH', url: '/api/me', payload: { name: 'Nova of the Sea' } })
  expect((await inject({ url })).json()).toEqual({ ...unnamed, name: 'Nova of the Sea' })
})

test('signed out, the user is null, which is no error and is not stored by caches', async () => {
  const { inject, signUp } = await createTestApp()
  const browser = await signUp()
  const wrong = Object.fromEntries(Object.keys(browser.cookies).map((name) => [name, 'wrong']))
  await browser.inject({ url: '/api/auth/logout' })
  const answers = [
    await inject({ url }),
    await inject({ url, cookies: wrong }),
    await browser.inject({ url }),
  ]
  for (const response of answers) {
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('null')
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  }
})
