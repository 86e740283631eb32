import { defaultAlertRules, type AlertRules } from '@astropelago/contract/alert-rules'
import { expect, test } from 'vitest'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { Delivery, Try } from './alert-messages-store.ts'
import type { SendResult } from './channels/channel.ts'
import { alertMessage } from './channels/testing/messages.ts'
import { noReports } from './testing/no-reports.ts'
import { DeliverySender, outcomeOf, triedForMs } from './send-deliveries.ts'
import { defaultUserRules } from './user-rules.ts'

const refused = (more: object = {}): SendResult => ({
  isOk: false,
  isFinal: false,
  note: 'It answered 503.',
  ...more,
})

test('[N11] waits grow, are as long as the target asks for, and end after 24 hours', () => {
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

test('[N12] a receiver that hangs delays no other, and a delivery never runs twice at once', async () => {
  const waiting = [deliveryOf(1, 1), deliveryOf(1, 2), deliveryOf(2, 3)]
  const keys: string[] = []
  const hangs = Promise.withResolvers<SendResult>()
  const sender = new DeliverySender({
    store: {
      dueDeliveries: async () => waiting,
      recordTry: async ({ channelKey }) => {
        waiting.splice(
          waiting.findIndex((one) => one.channelKey === channelKey),
          1,
        )
      },
      postpone: async () => undefined,
    },
    rules: nothingChosen,
    reports: noReports,
    channels: {
      sendTo: async (channelKey, _, key) => {
        keys.push(key)
        return channelKey === 3 ? { isOk: true, note: 'ok' } : await hangs.promise
      },
    },
    mayBegin: () => true,
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

test('[N10] a message that is sent while due deliveries are read is not sent again', async () => {
  const sent: string[] = []
  const lists = [Promise.withResolvers<Delivery[]>(), Promise.withResolvers<Delivery[]>()]
  const answer = Promise.withResolvers<SendResult>()
  let looks = 0
  const sender = new DeliverySender({
    store: {
      dueDeliveries: async () => (await lists[looks++]?.promise) ?? [],
      recordTry: async () => undefined,
      postpone: async () => undefined,
    },
    rules: nothingChosen,
    reports: noReports,
    channels: {
      sendTo: async (_, __, key) => {
        sent.push(key)
        return await answer.promise
      },
    },
    mayBegin: () => true,
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

/** A sender over rows in memory. A row is due until its outcome is recorded. */
function setUp(
  rows: Delivery[],
  {
    nowMs = 0,
    mayBegin = () => true,
  }: { readonly nowMs?: number; readonly mayBegin?: () => boolean } = {},
) {
  const sent: string[] = []
  const tries: Try[] = []
  const postponed: number[] = []
  const state = { isFull: false, rules: defaultAlertRules, operators: [1] }
  const end = ({ messageKey }: Pick<Delivery, 'messageKey'>) =>
    rows.splice(
      rows.findIndex((one) => one.messageKey === messageKey),
      1,
    )
  const sender = new DeliverySender({
    store: {
      dueDeliveries: async () => rows.slice(0, 64),
      recordTry: async (delivery, outcome) => {
        if (state.isFull) throw new StorageUnavailable('the disk is full')
        tries.push(outcome)
        end(delivery)
      },
      postpone: async (delivery, untilMs) => {
        postponed.push(untilMs)
        end(delivery)
      },
    },
    rules: {
      rulesOf: async (keys) =>
        new Map(keys.map((key) => [key, { ...defaultUserRules, rules: state.rules }])),
    },
    reports: { operators: async () => state.operators },
    channels: {
      sendTo: async (_, __, key) => {
        sent.push(key)
        return { isOk: true, note: 'It answered 204.' }
      },
    },
    mayBegin,
    clock: () => nowMs,
    log: { error: () => undefined },
  })
  const look = async () => {
    await sender.begin()
    await sender.settled()
  }
  return { rows, sent, tries, postponed, state, look }
}

test('[N10] a sent message whose outcome is not stored is not sent again, and delays all others', async () => {
  const { rows, sent, tries, state, look } = setUp([deliveryOf(1, 1)])
  state.isFull = true
  await look()
  rows.push(deliveryOf(2, 1))
  await expect(look()).rejects.toThrow('the disk is full')
  await expect(look()).rejects.toThrow('the disk is full')
  expect(sent).toEqual(['m1-1'])
  state.isFull = false
  await look()
  expect(sent).toEqual(['m1-1', 'm2-1'])
  expect(tries).toHaveLength(2)
})

test('[N8] a late try waits for the end of quiet hours, and fails once alerts are off', async () => {
  const nowMs = Date.UTC(2026, 0, 5, 23)
  const late = { ...deliveryOf(1, 1), atMs: nowMs - 3_600_000, tries: 3 }
  const quiet: AlertRules = {
    ...defaultAlertRules,
    timeZone: 'UTC',
    quietHours: { from: '22:00', to: '07:00' },
  }
  const { rows, sent, tries, postponed, state, look } = setUp([late], { nowMs })
  state.rules = quiet
  await look()
  expect([sent, postponed]).toEqual([[], [Date.UTC(2026, 0, 6, 7)]])
  // This message was made a moment ago, before the quiet hours began.
  rows.push({ ...deliveryOf(2, 1), atMs: nowMs - 1000 })
  await look()
  expect(sent).toEqual(['m2-1'])
  rows.push({ ...late, messageKey: 3 })
  state.rules = { ...quiet, isOn: false }
  await look()
  expect(sent).toEqual(['m2-1'])
  expect(tries.at(-1)).toMatchObject({
    state: 'failed',
    answer: 'It was not sent: alerts are off.',
  })
})

test('[N13] no delivery begins once another server leads or this one ends', async () => {
  let isLast = false
  const all = Array.from({ length: 200 }, (_, at) => deliveryOf(at, 1))
  const { sent, look } = setUp(all, { mayBegin: () => !isLast && sent.length < 100 })
  await look()
  const count = sent.length
  expect(count).toBeGreaterThanOrEqual(64)
  expect(count).toBeLessThan(200)
  isLast = true
  await look()
  expect(sent).toHaveLength(count)
})

const nothingChosen = { rulesOf: async () => new Map<number, never>() }

test('AL13 [N27] a message about reports goes only to a user who is an operator at the time of the try', async () => {
  const message = alertMessage({ kind: 'report', title: '1 new report', lines: [], items: [] })
  const of = (userKey: number) => ({ ...deliveryOf(userKey, 1), message })
  const { rows, sent, tries, state, look } = setUp([of(1), of(2)])
  state.rules = { ...defaultAlertRules, tellsReports: true }
  await look()
  expect(sent).toEqual(['m1-1'])
  expect(tries.find(({ state: outcome }) => outcome === 'failed')?.answer).toBe(
    'It was not sent: reports are for operators.',
  )
  rows.push({ ...of(1), atMs: -3_600_000 })
  state.rules = defaultAlertRules
  await look()
  expect(sent).toHaveLength(1)
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
