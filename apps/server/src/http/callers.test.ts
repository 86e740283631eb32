import { contractRoutes, routeName } from '../test/contract-routes.ts'
import { shareTestApp } from '../test/create-test-app.ts'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'

const options = { config: { operators: new Set(['ada', 'eve']) } }

const operatorRoutes = contractRoutes.filter(({ access }) => access === 'operator')

const bodies: readonly Pick<InjectOptions, 'payload' | 'headers'>[] = [
  {},
  { payload: '{"bad', headers: { 'content-type': 'application/json' } },
  { payload: '{"a":1}', headers: { 'content-type': 'application/json' } },
  { payload: 'x'.repeat(100_000), headers: { 'content-type': 'application/json' } },
  { payload: 'text', headers: { 'content-type': 'text/plain' } },
]

test.each(operatorRoutes.map(routeName))(
  'S54 %s answers as an unknown path does to all but operators',
  async (name) => {
    const route = contractRoutes.find((one) => routeName(one) === name)
    if (route === undefined) throw new Error(`${name} is not in the contract`)
    const { inject, signUp } = await shareTestApp(options)
    const users = [await signUp(), { inject }]
    for (const { inject: ask } of users) {
      for (const body of route.method === 'GET' ? [{}] : bodies) {
        for (const query of ['', '?limit=none']) {
          const answer = async (path: string) => {
            const {
              statusCode,
              body: text,
              headers,
            } = await ask({
              method: route.method,
              url: path + query,
              ...body,
            })
            return { statusCode, text, headers: { ...headers, date: '' } }
          }
          const unknown = await answer(`/api/nowhere/${'x'.repeat(route.path.length - 13)}`)
          expect(unknown.statusCode).toBe(404)
          expect(await answer(route.path)).toEqual(unknown)
        }
      }
    }
  },
)

test('a user named in OPERATORS is an operator in any case; demo users and others are not', async () => {
  const { signUp, inject } = await shareTestApp(options)
  const [ada, nova] = [await signUp('Ada'), await signUp('nova')]
  const statuses = await Promise.all(
    [ada, nova, { inject }].map(
      async (one) => (await one.inject({ url: '/api/operator/users' })).statusCode,
    ),
  )
  expect(statuses).toEqual([200, 404, 404])
  const isOperator = async (one: typeof ada) =>
    (await one.inject({ url: '/api/me' })).json<{ user: { isOperator: boolean } }>().user.isOperator
  expect([await isOperator(ada), await isOperator(nova)]).toEqual([true, false])
})

test('S8 a name in OPERATORS can’t be registered in any case', async () => {
  const { inject } = await shareTestApp(options)
  const register = await inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username: 'EVE', password: 'correct horse battery' },
  })
  expect(register.json()).toMatchObject({ code: 'username_taken' })
})
