import { listReports } from '@astropelago/contract/reports'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { deploy } from '../../test/api-pages.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { operatorOptions, shareOperatorApp } from '../../test/operator-app.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { publishPages } from '../island-runtime/testing/island-page.ts'

/** An island where Ada has written, and what becomes of her message. */
async function setUp(access: 'public' | 'invited' = 'public', text: unknown = 'Hi') {
  const { operator } = await shareOperatorApp()
  const relay = await shareRelayApp(operatorOptions)
  const pages = await publishPages(relay, undefined, { access })
  const ada = access === 'invited' ? relay.host : await relay.signUp()
  const page = await pages.openAs(ada)
  await page.send('chat', text)
  const { roomId } = await page.join('chat')
  const id = `${roomId}-1`
  const hidden = `/api/operator/hidden/room-message/${id}`
  return {
    ...relay,
    ...pages,
    operator,
    ada,
    page,
    id,
    report: async (by: Pick<TestBrowser, 'inject'>, of = id) => {
      const payload = { kind: 'room-message', id: of, reason: 'abuse' }
      return (await by.inject({ method: 'POST', url: '/api/reports', payload })).statusCode
    },
    hide: async () =>
      (await operator.inject({ method: 'POST', url: hidden, payload: { reason: 'Rude' } }))
        .statusCode,
    show: async () => (await operator.inject({ method: 'DELETE', url: hidden })).statusCode,
    cases: async (state: 'open' | 'settled') => {
      const answer = await operator.inject({ url: `/api/operator/reports?state=${state}` })
      const { cases } = v.parse(listReports.answers[200], answer.json())
      return cases.filter(({ subject }) => subject.id === id)
    },
  }
}

test('a visitor reports a message, and the operator sees what it says and who wrote it', async () => {
  const { ada, signUp, report, cases, id } = await setUp('public', {
    text: `Buy\n${'😀 '.repeat(60)}`,
  })
  expect(await report(await signUp())).toBe(204)
  const seen = { name: `Buy ${'😀 '.repeat(60).slice(0, 113)}…`, link: null, author: ada.username }
  expect(await cases('open')).toMatchObject([
    {
      subject: { kind: 'room-message', id },
      reportedAs: seen,
      thing: { ...seen, isPublic: true, hidden: null },
      reports: [{ reason: 'abuse' }],
    },
  ])
})

test('S54 own messages, unknown ones and those of islands that one may not enter can’t be reported', async () => {
  const { ada, page, signUp, inject, report, id } = await setUp()
  const user = await signUp()
  expect(await report(ada)).toBe(404)
  expect(await report({ inject })).toBe(401)
  const others = [id.replace(/1$/, '2'), id.replace(/1$/, '999999999999999'), id.slice(0, -2)]
  for (const unknown of ['1', '-1', 'no-room-1', `${id}x`, ...others]) {
    expect([unknown, await report(user, unknown)]).toEqual([unknown, 404])
  }
  await page.send('chat', 'Second')
  expect(await report(user, id.replace(/1$/, '2'))).toBe(204)

  const closed = await setUp('invited')
  expect(await closed.report(user)).toBe(404)
})

test('a message that an operator hides is deleted for everybody at once, and its reports are settled', async () => {
  const { page, openAs, signUp, report, hide, show, cases } = await setUp()
  const [user, late] = [await signUp(), await signUp()]
  await page.send('chat', 'Second')
  expect(await report(user)).toBe(204)
  expect(await hide()).toBe(204)
  expect((await page.eventsOf('chat', 2)).at(-1)).toMatchObject({ kind: 'delete', message: 1 })
  expect((await (await openAs()).join('chat')).events).toMatchObject([{ n: 2, value: 'Second' }])
  expect(await cases('open')).toEqual([])
  expect(await cases('settled')).toMatchObject([{ settled: { outcome: 'hidden' }, thing: null }])
  // It is gone for good.
  expect(await report(late)).toBe(404)
  expect([await show(), await hide()]).toEqual([404, 404])
})

test('a message that is deleted cannot be shown, but its reports can be dismissed', async () => {
  const { operator, id, openAs, host, signUp, report, show, cases } = await setUp()
  expect(await report(await signUp())).toBe(204)
  expect(await show()).toBe(404)
  const action = { kind: 'delete', message: 1 } as const
  await (await openAs(host)).call({ call: 'moderate', room: 'chat', action })
  expect(await cases('open')).toMatchObject([{ reportedAs: { name: 'Hi' }, thing: null }])
  const url = `/api/operator/reports/room-message/${id}/dismiss`
  expect((await operator.inject({ method: 'POST', url })).statusCode).toBe(204)
  expect(await cases('settled')).toMatchObject([{ settled: { outcome: 'dismissed' } }])
})

test('messages of visitors who did not say who they are can be reported', async () => {
  const { openAs, signUp, report, page, island, host, id, cases } = await setUp()
  expect(id).toMatch(/-1$/)
  const rules = { 'index.html': 'x', 'astropelago.json': '{"rooms":{"guests":"anyone"}}' }
  await deploy(host, island.id, rules)
  expect(await (await openAs()).send('guests', 'Spam')).toMatchObject({ from: null })
  const { roomId } = await page.join('guests')
  expect(await report(await signUp(), `${roomId}-1`)).toBe(204)
  expect(await cases('open')).toEqual([])
})
