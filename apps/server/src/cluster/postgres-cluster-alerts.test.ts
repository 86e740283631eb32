import { setTimeout as wait } from 'node:timers/promises'
import { listAlertMessages } from '@astropelago/contract/alerts'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { startReceiver } from '../outgoing/testing/receiver.ts'
import { createTestChannel } from '../test/api-channels.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { startCluster } from './testing/test-cluster.ts'

vi.setConfig({ testTimeout: 90_000 })

const inTime = { timeout: 30_000, interval: 50 }
const names = ['ada', 'carl', 'nova']

test('[N13] when the sending server loses its database, another one continues without doubling a message or its key', async () => {
  const { servers } = await startCluster(2, { onlineWindowMs: 2000, allowsPrivateTargets: true })
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const receiver = await startReceiver()
  const owners: { readonly name: string; readonly owner: TestBrowser; readonly token: string }[] =
    []
  for (const name of names) {
    const owner = await other.signUp(name)
    await createTestChannel(owner, { kind: 'webhook', url: `${receiver.url}/${name}` })
    const { token } = await createTestToken(owner, (await registerTestDevice(owner)).id)
    owners.push({ name, owner, token })
  }
  receiver.answerWith((_, response) => {
    // What came of it can't be written down, nor what is still to be told.
    if (receiver.calls.length === 1) leader.proxy.stall()
    response.writeHead(204).end()
  })
  for (const { token } of owners) expect(await sendHeartbeat(other, token)).toBe(204)

  const keysTo = (name: string) => {
    const calls = receiver.calls.filter(({ path }) => path === `/${name}`)
    return new Set(calls.map(({ headers }) => headers['webhook-id']))
  }
  const sentTo = async ({ owner }: (typeof owners)[number]) => {
    const answer = await owner.inject({ url: listAlertMessages.path })
    const { messages } = v.parse(listAlertMessages.answers[200], JSON.parse(answer.body))
    return messages.flatMap(({ kind, deliveries }) => [kind, deliveries.map(({ state }) => state)])
  }
  const expectTold = () =>
    vi.waitFor(async () => {
      for (const one of owners) expect(await sentTo(one)).toEqual(['offline', ['sent']])
    }, inTime)
  await expectTold()
  leader.proxy.mend()
  // Time enough for the first one to do what it had begun.
  await wait(2500)
  await expectTold()
  for (const name of names) expect([name, keysTo(name).size]).toEqual([name, 1])
  expect(receiver.calls.length).toBeGreaterThan(names.length)
})
