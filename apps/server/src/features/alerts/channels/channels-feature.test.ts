import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { alone } from '../../../cluster/cluster.ts'
import { createMailLimits } from '../../../mail/mail-limits.ts'
import { noMailer } from '../../../mail/mailer.ts'
import { createMetrics } from '../../../metrics.ts'
import { startReceiver } from '../../../outgoing/testing/receiver.ts'
import { insertUser } from '../../../test/factories.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { channelsFeature } from './channels-feature.ts'
import { sqlChannelsStore } from './sql-channels-store.ts'
import { readConfig } from '../../../config.ts'
import { alertMessage } from './testing/messages.ts'

async function setUp() {
  const storage = await openTestStorage()
  const { now: clock } = movableClock()
  const receiver = await startReceiver()
  const metrics = createMetrics()
  const log = pino({ level: 'silent' })
  const audit = { note: async () => undefined, begin: () => expect.unreachable() }
  const { channels } = await channelsFeature(
    { storage, cluster: alone, clock, log, metrics, audit },
    {
      config: readConfig({ ALLOW_PRIVATE_TARGETS: 'on' }),
      mail: { mailer: noMailer, mailLimits: createMailLimits(() => 1) },
      limits: { sendMail: () => undefined, useCode: () => undefined },
    },
  )
  const store = sqlChannelsStore(storage.db)
  const userKey = await insertUser(storage.db)
  const insert = async (userOf = userKey) => {
    const id = randomUUID()
    const settings = { kind: 'gotify', server: receiver.url, token: 'secret-part' } as const
    const empty = { secret: null, unsubscribeCode: null, code: null }
    const record = {
      ...empty,
      id,
      userKey: userOf,
      name: id,
      settings,
      confirmedMs: 1,
      createdMs: 1,
    }
    await store.insert(record, 10)
    const key = (await store.find(userOf, id))?.key
    if (key === undefined) throw new Error('The channel is not there')
    return { id, key }
  }
  return { ...storage, channels, receiver, metrics, userKey, insert, store }
}

test('the ready channels of several users are read at once, each user’s oldest first', async () => {
  const { db, channels, insert, userKey } = await setUp()
  const other = await insertUser(db)
  const [first, second, theirs] = [await insert(), await insert(), await insert(other)]
  const ready = await channels.readyOf([userKey, other, 999])
  expect([...ready].map(([key, list]) => [key, list.map(({ id }) => id)])).toEqual([
    [userKey, [first.id, second.id]],
    [other, [theirs.id]],
  ])
  expect(ready.get(userKey)?.[0]).toEqual({
    key: first.key,
    id: first.id,
    name: first.id,
    kind: 'gotify',
  })
})

test('[CH9] the outcome of a message is returned, stored and counted', async () => {
  const { channels, receiver, insert, store, metrics } = await setUp()
  const { key } = await insert()
  const sent = await channels.sendTo(key, alertMessage(), 'msg_1')
  expect(sent).toEqual({ isOk: true, note: 'It answered 200.' })
  receiver.answerWith((_, response) => response.writeHead(503, { 'retry-after': '5' }).end())
  expect(await channels.sendTo(key, alertMessage(), 'msg_2')).toEqual({
    isOk: false,
    isFinal: false,
    note: 'It answered 503.',
    retryAfterMs: 5000,
  })
  expect(await store.findByKey(key)).toMatchObject({
    answer: { isOk: false, note: 'It answered 503.' },
  })
  const text = await metrics.text()
  expect(text).toContain('astropelago_channel_tries_total{kind="gotify",outcome="ok"} 1')
  expect(text).toContain('astropelago_channel_tries_total{kind="gotify",outcome="failed"} 1')
})

test('AL3 nothing is sent to a channel that is deleted or ended, or whose user is disabled', async () => {
  const { db, channels, receiver, insert, store, userKey } = await setUp()
  const disabled = await insertUser(db)
  const [gone, ended, theirs] = [await insert(), await insert(), await insert(disabled)]
  await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', disabled).execute()
  await store.delete(userKey, gone.id)
  await store.recordAnswer(ended.key, 0, { atMs: 1, isOk: false, note: '', hasEnded: true })
  for (const { key } of [gone, ended, theirs]) {
    expect(await channels.sendTo(key, alertMessage(), 'msg_1')).toMatchObject({
      isOk: false,
      isFinal: true,
    })
  }
  expect(receiver.calls).toEqual([])
})
