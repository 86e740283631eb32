import {
  type CheckStatus,
  getCheckHistory,
  getOwnCheck,
  runCheck,
} from '@astropelago/contract/checks'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { startReceiver } from '../../../outgoing/testing/receiver.ts'
import { makeTestCheck } from '../../../test/api-checks.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { inTime } from '../../../test/in-time.ts'

async function setUp() {
  const testApp = await createTestApp({
    config: { allowsPrivateTargets: true, metricsToken: 'metrics' },
  })
  const owner = await testApp.signUp()
  const get = async (id: string) => {
    const { body } = await owner.inject({ url: getOwnCheck.path.replace(':id', id) })
    return v.parse(getOwnCheck.answers[200], JSON.parse(body))
  }
  const eventsOf = async (id: string) => {
    const { body } = await owner.inject({ url: getCheckHistory.path.replace(':id', id) })
    const { events } = v.parse(getCheckHistory.answers[200], JSON.parse(body))
    return events.map(({ kind }) => kind)
  }
  /** Lets time go by, but not so fast that the machine seems to sleep. */
  const until = (id: string, status: CheckStatus) =>
    vi.waitFor(
      async () => {
        testApp.clock.move(3000)
        expect((await get(id)).status).toBe(status)
      },
      { timeout: inTime.timeout, interval: 110 },
    )
  return { ...testApp, owner, get, eventsOf, until }
}

test('[C4] a server looks at its checks, and stores and counts what it finds', async () => {
  const { owner, inject, get, eventsOf, until } = await setUp()
  const { url, answerWith } = await startReceiver()
  const { id } = await makeTestCheck(owner, { target: { kind: 'http', url, periodS: 30 } })
  await until(id, 'up')
  answerWith((_, response) => response.writeHead(500).end())
  await until(id, 'down')
  expect(await get(id)).toMatchObject({ note: 'It answers with status 500.' })
  answerWith((_, response) => response.end())
  const looked = await owner.inject({ method: 'POST', url: runCheck.path.replace(':id', id) })
  expect(looked.json()).toMatchObject({ isUp: true, note: null })
  await vi.waitFor(async () => expect((await get(id)).status).toBe('up'), inTime)
  expect(await eventsOf(id)).toEqual(['up', 'down', 'up'])
  const headers = { authorization: 'Bearer metrics' }
  const { body } = await inject({ url: '/metrics', headers })
  // Time goes on while the outage is stored, so there may be more.
  const countOf = (name: string) =>
    Number(
      body
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    )
  expect(countOf('astropelago_check_looks_total{outcome="failed"}')).toBeGreaterThanOrEqual(2)
  expect(body).toContain('astropelago_checks_held 1\n')
  expect(countOf('astropelago_check_late_seconds_count')).toBeGreaterThanOrEqual(3)
})

test('[C6] a script reports at its secret address until it is silent', async () => {
  const { owner, inject, get, eventsOf, until } = await setUp()
  const target = { kind: 'push', periodS: 20, graceS: 0 }
  const { id, pushUrl } = await makeTestCheck(owner, { target })
  const { pathname } = new URL(pushUrl ?? '')
  expect((await inject({ url: pathname })).body).toBe('OK')
  expect((await get(id)).status).toBe('up')
  await until(id, 'down')
  expect((await get(id)).note).toBe('No report came in time.')
  const kuma = await inject({ url: pathname.replace('/ping/', '/api/push/') })
  expect(kuma.json()).toEqual({ ok: true })
  expect(await eventsOf(id)).toEqual(['up', 'down', 'up'])
})
