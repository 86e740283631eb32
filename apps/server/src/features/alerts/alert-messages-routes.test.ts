import { getOperatorAlerts, getUserAlerts } from '@astropelago/contract/operator-alerts'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestChannel } from '../../test/api-channels.ts'
import { createOperatorApp } from '../../test/operator-app.ts'
import { alertMessage } from './channels/testing/messages.ts'

async function setUp() {
  const testApp = await createOperatorApp()
  const { operator, clock, signUp } = testApp
  const { db } = testApp.storage
  const ada = await signUp('Ada')
  const adaKey = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', 'Ada')
    .executeTakeFirstOrThrow()
  return {
    ...testApp,
    db,
    ada,
    read: async () => {
      const answer = await operator.inject({ url: '/api/operator/alerts' })
      return v.parse(getOperatorAlerts.answers[200], answer.json())
    },
    turn: (to: 'pause' | 'resume') =>
      operator.inject({ method: 'POST', url: `/api/operator/alerts/${to}` }),
    of: (username: string) => operator.inject({ url: `/api/operator/users/${username}/alerts` }),
    /** Inserts messages one second apart, the last ones in the future. */
    insertDeliveries: async (count: number, state: 'waiting' | 'sent' | 'failed') => {
      for (let at = 0; at < count; at += 1) {
        const message = {
          id: `${state}-${at}`,
          user_key: adaKey.key,
          at_ms: clock.now() + 1000 * at,
          message: JSON.stringify(alertMessage()),
        }
        const { key } = await db
          .insertInto('alert_messages')
          .values(message)
          .returning('key')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('alert_deliveries')
          .values({
            message_key: key,
            user_key: adaKey.key,
            channel_key: 7,
            channel_id: 'c7',
            channel_kind: 'ntfy',
            channel_name: 'Secret plans',
            state,
            tries: 1,
            tried_ms: clock.now(),
            next_ms: state === 'waiting' ? clock.now() + 5000 : null,
            // Some receivers repeat the message.
            answer: `It answered 500: ${alertMessage().title}`,
          })
          .execute()
      }
    },
  }
}

test('operators see how many alerts wait, and how many channels of each kind fail', async () => {
  const { db, ada, clock, read, insertDeliveries } = await setUp()
  expect(await read()).toEqual({ pausedAt: null, waiting: 0, oldestAt: null, channels: [] })
  const [failing, ended] = [await createTestChannel(ada), await createTestChannel(ada)]
  await createTestChannel(ada)
  const set = (id: string, values: object) =>
    db.updateTable('alert_channels').set(values).where('id', '=', id).execute()
  await set(failing.id, { failing_ms: clock.now() })
  await set(ended.id, { failing_ms: clock.now(), ended_ms: clock.now() })
  await insertDeliveries(2, 'waiting')
  await insertDeliveries(1, 'failed')
  expect(await read()).toEqual({
    pausedAt: null,
    waiting: 2,
    oldestAt: new Date(clock.now()).toISOString(),
    channels: [{ kind: 'webhook', count: 3, failing: 1, ended: 1, unconfirmed: 0 }],
  })
})

test('AL10 S59 a pause lasts until an operator ends it, and the audit log names who began and ended it', async () => {
  const { clock, operator, read, turn } = await setUp()
  const pausedAt = new Date(clock.now()).toISOString()
  expect((await turn('pause')).json()).toMatchObject({ pausedAt })
  clock.move(60_000)
  expect((await turn('pause')).json()).toMatchObject({ pausedAt })
  expect(await read()).toMatchObject({ pausedAt })
  expect((await turn('resume')).json()).toMatchObject({ pausedAt: null })
  const log = await operator.inject({ url: '/api/operator/audit?action=alerts.' })
  expect(log.json()).toMatchObject({
    entries: ['alerts.resumed', 'alerts.paused', 'alerts.paused'].map((action) => ({
      actor: 'operator:Captain',
      action,
      outcome: 'done',
    })),
  })
})

test('AL10 operators see a user’s waiting and last deliveries, without their texts and the names of channels', async () => {
  const { ada, of, insertDeliveries } = await setUp()
  await insertDeliveries(25, 'waiting')
  await insertDeliveries(15, 'sent')
  await insertDeliveries(15, 'failed')
  const answer = await of('ada')
  const { waiting, ended } = v.parse(getUserAlerts.answers[200], answer.json())
  expect(waiting.map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, at) => `waiting-${at}`),
  )
  expect(ended).toHaveLength(20)
  expect(ended.slice(0, 2).map(({ id }) => id)).toEqual(['sent-14', 'failed-14'])
  expect(ended[0]).toMatchObject({ channel: 'ntfy', tries: 1, answer: 'It answered 500.' })
  expect(answer.body).not.toContain('Secret plans')
  for (const line of [alertMessage().title, ...alertMessage().lines]) {
    expect(answer.body).not.toContain(line)
  }
  expect((await of('nobody')).statusCode).toBe(404)
  expect((await ada.inject({ url: '/api/operator/users/ada/alerts' })).statusCode).toBe(404)
})
