import { expect, test } from 'vitest'
import type { Delivery } from './alerts-store.ts'
import type { SendResult } from './channels/channel.ts'
import { alertMessage } from './channels/testing/messages.ts'
import { DeliverySender, outcomeOf, triedForMs } from './send-deliveries.ts'

const refused = (more: object = {}): SendResult => ({
  isOk: false,
  isFinal: false,
  note: 'It answered 503.',
  ...more,
})

test('[N11] waits grow, as long as its target asks for, and end after 24 hours', () => {
  const waits: number[] = []
  let nowMs = 0
  for (let tries = 0; ; tries += 1) {
    const { state, nextMs } = outcomeOf({ tries, atMs: 0 }, refused(), nowMs)
    if (state === 'failed') break
    waits.push((nextMs ?? 0) - nowMs)
    nowMs = nextMs ?? 0
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits[0]).toBe(10_000)
  expect(nowMs).toBeGreaterThan(triedForMs - 3_600_000)
  expect(outcomeOf({ tries: 0, atMs: 0 }, refused({ retryAfterMs: 77_000 }), 5).nextMs).toBe(77_005)
  expect(outcomeOf({ tries: 0, atMs: 0 }, refused({ isFinal: true }), 5)).toMatchObject({
    state: 'failed',
    nextMs: null,
  })
})

test('[N12] a receiver that hangs holds up nobody else, and one delivery runs once at a time', async () => {
  const waiting = [deliveryOf(1, 1), deliveryOf(1, 2), deliveryOf(2, 3)]
  const keys: string[] = []
  const hangs = Promise.withResolvers<SendResult>()
  const sender = new DeliverySender({
    store: {
      dueDeliveries: async () => waiting,
      noteTry: async ({ channelKey }) => {
        waiting.splice(
          waiting.findIndex((one) => one.channelKey === channelKey),
          1,
        )
      },
    },
    channels: {
      sendTo: async (channelKey, _, key) => {
        keys.push(key)
        return channelKey === 3 ? { isOk: true, note: 'ok' } : await hangs.promise
      },
    },
    clock: () => 0,
    log: { error: () => undefined },
  })
  await sender.begin()
  await new Promise(setImmediate)
  await sender.begin()
  expect(keys).toEqual(['m1-1', 'm1-2', 'm2-3'])
  expect(waiting.map(({ channelKey }) => channelKey)).toEqual([1, 2])
  hangs.resolve({ isOk: true, note: 'ok' })
  await sender.settled()
  expect(sender.outcomes).toEqual(new Map([['sent', 3]]))
})

test('[N10] what is sent while the list of what is due is on its way is not sent again', async () => {
  const sent: string[] = []
  const lists = [Promise.withResolvers<Delivery[]>(), Promise.withResolvers<Delivery[]>()]
  const answer = Promise.withResolvers<SendResult>()
  let looks = 0
  const sender = new DeliverySender({
    store: {
      dueDeliveries: async () => (await lists[looks++]?.promise) ?? [],
      noteTry: async () => undefined,
    },
    channels: {
      sendTo: async (_, __, key) => {
        sent.push(key)
        return await answer.promise
      },
    },
    clock: () => 0,
    log: { error: () => undefined },
  })
  lists[0]?.resolve([deliveryOf(1, 1)])
  await sender.begin()
  const second = sender.begin()
  answer.resolve({ isOk: true, note: 'ok' })
  await sender.settled()
  lists[1]?.resolve([deliveryOf(1, 1), deliveryOf(1, 2)])
  await second
  await sender.settled()
  expect(sent).toEqual(['m1-1', 'm1-2'])
})

function deliveryOf(userKey: number, channelKey: number): Delivery {
  return {
    messageKey: userKey,
    channelKey,
    userKey,
    id: `m${userKey}`,
    atMs: 0,
    message: alertMessage(),
    tries: 0,
  }
}
