import {
  alertMessagesPageLength,
  listAlertMessages,
  type AlertMessage,
} from '@astropelago/contract/alerts'
import {
  getOperatorAlerts,
  getUserAlerts,
  operatorDeliveriesLength,
  pauseAlerts,
  resumeAlerts,
  type OperatorDelivery,
} from '@astropelago/contract/operator-alerts'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { cutPage, readPosition, writePosition } from '../../page-position.ts'
import type {
  AlertMessagesStore,
  DeliveryState,
  ListedDelivery,
  SentMessage,
} from './alert-messages-store.ts'
import type { Channels } from './channels/channel.ts'

export interface AlertMessagesRoutesOptions {
  readonly serve: Serve
  readonly messages: AlertMessagesStore
  readonly channels: Pick<Channels, 'countKinds'>
  readonly clock: Clock
  readonly findUserKey: (username: string) => Promise<number | undefined>
}

export async function alertMessagesRoutes(
  app: FastifyInstance,
  { serve, messages, channels, clock, findUserKey }: AlertMessagesRoutesOptions,
) {
  serve(app, listAlertMessages, async ({ user: { userKey }, query }) => {
    const after = readPosition(query.after)
    if (after === undefined) {
      throw new DomainError('invalid_input', { fields: { after: 'This is the end of no page.' } })
    }
    const found = await messages.list(userKey, { after, limit: alertMessagesPageLength + 1 })
    const { shown, last } = cutPage(found, alertMessagesPageLength)
    const next = last === undefined ? null : writePosition(last)
    return { status: 200, body: { messages: shown.map(presentMessage), next } }
  })

  const readState = async () => {
    const [pausedMs, waiting, kinds] = await Promise.all([
      messages.pausedMs(),
      messages.waiting(),
      channels.countKinds(),
    ])
    return {
      pausedAt: isoTime(pausedMs),
      waiting: waiting.count,
      oldestAt: isoTime(waiting.sinceMs),
      channels: kinds,
    }
  }

  serve(app, getOperatorAlerts, async () => ({ status: 200, body: await readState() }))

  serve(
    app,
    pauseAlerts,
    async () => {
      await messages.pause(clock())
      return { status: 200, body: await readState() }
    },
    { audit: () => ({ action: 'alerts.paused' }) },
  )

  serve(
    app,
    resumeAlerts,
    async () => {
      await messages.resume()
      return { status: 200, body: await readState() }
    },
    { audit: () => ({ action: 'alerts.resumed' }) },
  )

  serve(app, getUserAlerts, async ({ params: { username } }) => {
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    const list = async (isWaiting: boolean) => {
      const limit = operatorDeliveriesLength
      return (await messages.listDeliveries(userKey, { isWaiting, limit })).map(presentForOperator)
    }
    const [waiting, ended] = await Promise.all([list(true), list(false)])
    return { status: 200, body: { waiting, ended } }
  })
}

export function presentMessage({ id, atMs, message, deliveries }: SentMessage): AlertMessage {
  const { kind, title, lines, url } = message
  return {
    id,
    at: isoTime(atMs),
    // Test messages are not stored, but the type allows them.
    kind: kind === 'test' ? 'several' : kind,
    title,
    lines: [...lines],
    url,
    deliveries: deliveries.map(({ channel, ...state }) => ({
      channel: { id: channel.id, name: channel.name, kind: channel.kind },
      ...presentState(state),
    })),
  }
}

function presentForOperator({ id, atMs, channelKind, ...state }: ListedDelivery): OperatorDelivery {
  const { answer } = state
  return {
    id,
    at: isoTime(atMs),
    channel: channelKind,
    ...presentState(state),
    answer: answer && withoutItsText(answer),
  }
}

function presentState({ state, tries, triedMs, nextMs, answer }: DeliveryState) {
  return { state, tries, triedAt: isoTime(triedMs), nextTryAt: isoTime(nextMs), answer }
}

/** Keeps only the status: the rest of an answer may repeat the message or name its receiver. */
function withoutItsText(answer: string): string {
  const [said = ''] = answer.split(': ', 1)
  return said.endsWith('.') ? said : `${said}.`
}
