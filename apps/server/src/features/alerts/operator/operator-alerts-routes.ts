import {
  getOperatorAlerts,
  getUserAlerts,
  operatorDeliveriesLength,
  pauseAlerts,
  resumeAlerts,
  type OperatorAlerts,
  type OperatorDelivery,
} from '@astropelago/contract/operator-alerts'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { AlertsStore } from '../alerts-store.ts'
import type { ListedDelivery, OperatorAlertsStore } from './operator-alerts-store.ts'

export interface OperatorAlertsRoutesOptions {
  readonly serve: Serve
  readonly store: Pick<AlertsStore, 'waiting'>
  readonly operatorAlerts: OperatorAlertsStore
  readonly clock: Clock
  /** Undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
}

export async function operatorAlertsRoutes(
  app: FastifyInstance,
  { serve, store, operatorAlerts, clock, findUserKey }: OperatorAlertsRoutesOptions,
) {
  const present = async (): Promise<OperatorAlerts> => {
    const [pausedMs, waiting, channels] = await Promise.all([
      operatorAlerts.pausedMs(),
      store.waiting(),
      operatorAlerts.countChannels(),
    ])
    return {
      pausedAt: toIso(pausedMs),
      waiting: waiting.count,
      oldestAt: toIso(waiting.sinceMs),
      channels: [...channels],
    }
  }

  serve(app, getOperatorAlerts, async () => ({ status: 200, body: await present() }))

  serve(
    app,
    pauseAlerts,
    async () => {
      await operatorAlerts.pause(clock())
      return { status: 200, body: await present() }
    },
    { audit: () => ({ action: 'alerts.paused' }) },
  )

  serve(
    app,
    resumeAlerts,
    async () => {
      await operatorAlerts.resume()
      return { status: 200, body: await present() }
    },
    { audit: () => ({ action: 'alerts.resumed' }) },
  )

  serve(app, getUserAlerts, async ({ params: { username } }) => {
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    const [waiting, ended] = await Promise.all(
      [true, false].map((isWaiting) =>
        operatorAlerts.listDeliveries(userKey, { isWaiting, limit: operatorDeliveriesLength }),
      ),
    )
    const body = {
      waiting: (waiting ?? []).map(presentDelivery),
      ended: (ended ?? []).map(presentDelivery),
    }
    return { status: 200, body }
  })
}

function presentDelivery(delivery: ListedDelivery): OperatorDelivery {
  const { id, atMs, channelKind, state, tries, triedMs, nextMs, answer } = delivery
  return {
    id,
    at: new Date(atMs).toISOString(),
    channel: channelKind,
    state,
    tries,
    triedAt: toIso(triedMs),
    nextTryAt: toIso(nextMs),
    answer: answer && withoutItsText(answer),
  }
}

/** Keeps only the status: the rest of an answer may repeat the message or name its receiver. */
function withoutItsText(answer: string): string {
  const [said = ''] = answer.split(': ', 1)
  return said.endsWith('.') ? said : `${said}.`
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
