import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Metrics } from '../../../metrics.ts'
import type { ChannelRecord, ChannelsStore } from './channels-store.ts'
import type { Delivery } from './kinds/composed.ts'
import type { SendMessage, Sent } from './send-message.ts'

export type SendAndRecord = (channel: ChannelRecord, delivery: Delivery) => Promise<Sent>

interface SendAndNoteDeps {
  readonly store: Pick<ChannelsStore, 'noteAnswer'>
  readonly sendMessage: SendMessage
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** Sends one message and stores the answer for the channel's owner. */
export function sendAndRecord({
  store,
  sendMessage,
  clock,
  metrics,
  log,
}: SendAndNoteDeps): SendAndRecord {
  const tries = new Map<string, { labels: { kind: string; outcome: string }; value: number }>()
  metrics.counter({
    name: 'astropelago_channel_tries_total',
    help: 'Messages that were sent to channels of alerts, each try of one, by what came of it',
    labels: ['kind', 'outcome'],
    read: () => [...tries.values()],
  })
  const count = (kind: string, isOk: boolean) => {
    const labels = { kind, outcome: isOk ? 'ok' : 'failed' }
    const name = `${kind} ${labels.outcome}`
    tries.set(name, { labels, value: (tries.get(name)?.value ?? 0) + 1 })
  }

  return async (channel, delivery) => {
    const sent = await sendMessage(channel, delivery)
    const { isOk, note } = sent.result
    count(channel.settings.kind, isOk)
    const answer = { atMs: clock(), isOk, note, hasEnded: sent.hasEnded }
    await store.noteAnswer(channel.key, channel.revision, answer).catch((error: unknown) => {
      // The message was sent all the same.
      log.error({ err: error }, 'the answer of a channel was not stored')
    })
    return sent
  }
}
