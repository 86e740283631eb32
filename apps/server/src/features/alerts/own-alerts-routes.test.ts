import { alertMessagesPageLength, listAlertMessages } from '@astropelago/contract/alerts'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'
import { alertMessage } from './channels/testing/messages.ts'

async function setUp() {
  const testApp = await createTestApp()
  const [ada, eve] = [await testApp.signUp(), await testApp.signUp()]
  const { db } = testApp.storage
  return {
    ...testApp,
    ada,
    eve,
    change: (payload: object) => ada.inject({ method: 'PATCH', url: '/api/me/alerts', payload }),
    insertMessages: async (count: number) => {
      const { key } = await db
        .selectFrom('users')
        .select('key')
        .where('username', '=', ada.username)
        .executeTakeFirstOrThrow()
      const message = JSON.stringify(alertMessage())
      const rows = Array.from({ length: count }, (_, at) => ({
        id: `message-${at}`,
        user_key: key,
        at_ms: testApp.clock.now() - Math.floor(at / 2),
        message,
      }))
      await db.insertInto('alert_messages').values(rows).execute()
      const first = await db
        .selectFrom('alert_messages')
        .select('key')
        .where('id', '=', 'message-0')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('alert_deliveries')
        .values({
          message_key: first.key,
          user_key: key,
          channel_key: 7,
          channel_id: 'c7',
          channel_kind: 'ntfy',
          channel_name: 'Gone by now',
          state: 'failed',
          tries: 3,
          tried_ms: testApp.clock.now(),
          next_ms: null,
          answer: 'It answered 500.',
        })
        .execute()
    },
    read: async (after?: string) => {
      const query = after === undefined ? '' : `?after=${after}`
      const answer = await ada.inject({ url: `/api/me/alerts/messages${query}` })
      return v.parse(listAlertMessages.answers[200], answer.json())
    },
  }
}

test('rules change one by one, and only for their user', async () => {
  const { ada, eve, change } = await setUp()
  const before = (await ada.inject({ url: '/api/me/alerts' })).json()
  expect(before).toMatchObject({ sentCount: 0, sentMax: 200, held: null })
  const quietHours = { from: '22:00', to: '07:00' }
  const changed = await change({ graceS: 90, quietHours, timeZone: 'Europe/Berlin' })
  expect(changed.json().rules).toEqual({
    ...before.rules,
    graceS: 90,
    quietHours,
    timeZone: 'Europe/Berlin',
  })
  await change({ quietHours: null, repeatHours: 24 })
  const after = (await ada.inject({ url: '/api/me/alerts' })).json()
  expect(after.rules).toMatchObject({ graceS: 90, quietHours: null, repeatHours: 24 })
  expect((await eve.inject({ url: '/api/me/alerts' })).json()).toEqual(before)
})

test.each([
  ['nothing', {}],
  ['a grace past a day', { graceS: 86_401 }],
  ['half a second', { graceS: 0.5 }],
  ['no such time of day', { quietHours: { from: '24:00', to: '07:00' } }],
  ['quiet hours without an end', { quietHours: { from: '07:00', to: '07:00' } }],
  ['no such zone', { timeZone: 'Mars/Olympus' }],
  ['a repeat without a pause', { repeatHours: 0 }],
  ['something else beside', { isOn: true, extra: 1 }],
])('%s is refused', async (_, payload) => {
  const { change } = await setUp()
  expect((await change(payload)).json()).toMatchObject({ code: 'invalid_input' })
})

test('messages are listed a page at a time, with the answers of their channels', async () => {
  const { ada, eve, read, insertMessages } = await setUp()
  await insertMessages(alertMessagesPageLength + 5)
  const first = await read()
  expect(first.messages).toHaveLength(alertMessagesPageLength)
  const second = await read(first.next ?? '')
  expect([second.messages.length, second.next]).toEqual([5, null])
  const all = [...first.messages, ...second.messages]
  expect(new Set(all.map(({ id }) => id)).size).toBe(alertMessagesPageLength + 5)
  expect(all.find(({ id }) => id === 'message-0')?.deliveries).toEqual([
    {
      channel: { id: 'c7', name: 'Gone by now', kind: 'ntfy' },
      state: 'failed',
      tries: 3,
      triedAt: '2026-01-01T00:00:00.000Z',
      nextTryAt: null,
      answer: 'It answered 500.',
    },
  ])
  const others = await eve.inject({ url: '/api/me/alerts/messages' })
  expect(others.json()).toEqual({ messages: [], next: null })
  const wrong = await ada.inject({ url: '/api/me/alerts/messages?after=x' })
  expect(wrong.json()).toMatchObject({ code: 'invalid_input' })
})
