import { defineRoute } from '@astropelago/contract/route'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { AuditEvent } from '../audit-log.ts'
import { DomainError } from '../domain-error.ts'
import { handleErrors } from './error-handler.ts'
import { createServe } from './serve-route.ts'

const removeMoon = defineRoute({
  method: 'DELETE',
  path: '/api/operator/moons',
  summary: 'Remove the moon',
  tag: 'Operators',
  access: 'operator',
  answers: { 204: null },
  errors: ['not_found'],
})

/** A server with one operator, whose audit log is a list of what was written, in order. */
function setUp() {
  const steps: string[] = []
  const app = fastify()
  handleErrors(app, {})
  const serve = createServe({
    limitCalls: () => undefined,
    whenCurrent: () => Promise.resolve(),
    user: () => Promise.reject(new DomainError('signed_out')),
    apiKey: () => Promise.reject(new DomainError('invalid_api_key')),
    device: () => Promise.reject(new DomainError('invalid_token')),
    agent: () => Promise.reject(new DomainError('invalid_token')),
    operator: async () => ({ name: 'ada', userKey: 1 }),
    audit: {
      begin: async ({ actor, action, subject }: AuditEvent) => {
        steps.push(`${actor} begins ${action} ${subject}`)
        return {
          done: async () => void steps.push('done'),
          refused: async (code) => void steps.push(`refused ${code}`),
        }
      },
    },
  })
  const send = async () => (await app.inject({ method: 'DELETE', url: removeMoon.path })).statusCode
  return { app, serve, steps, send }
}

const audit = () => ({ action: 'moon.removed', subject: 'moon:1' })
const begins = 'operator:ada begins moon.removed moon:1'

test('S59 an action is recorded before it happens, and its outcome after it', async () => {
  const { app, serve, steps, send } = setUp()
  const act = async () => {
    steps.push('acts')
    return { status: 204 } as const
  }
  serve(app, removeMoon, act, { audit })
  expect(await send()).toBe(204)
  expect(steps).toEqual([begins, 'acts', 'done'])
})

test('S59 the record of a refused action says why', async () => {
  const { app, serve, steps, send } = setUp()
  serve(app, removeMoon, () => Promise.reject(new DomainError('not_found')), { audit })
  expect(await send()).toBe(404)
  expect(steps).toEqual([begins, 'refused not_found'])
})

test('S59 the record of an action that broke midway stays `begun`', async () => {
  const { app, serve, steps, send } = setUp()
  serve(app, removeMoon, () => Promise.reject(new Error('the disk is full')), { audit })
  expect(await send()).toBe(500)
  expect(steps).toEqual([begins])
})

test('S59 an operator’s action without an audit event is not served', () => {
  const { app, serve } = setUp()
  const serveIt = () => serve(app, removeMoon, async () => ({ status: 204 }))
  expect(serveIt).toThrow('what the audit log says of it')
})
