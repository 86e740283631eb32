import {
  alertMessagesPageLength,
  changeAlerts,
  getAlerts,
  listAlertMessages,
  type AlertMessage,
  type OwnAlerts,
} from '@astropelago/contract/alerts'
import { alertMessagesPerDay } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { readPosition, writePosition } from '../../page-position.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore, SentMessage } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import type { IslandChangeSource } from './read-islands.ts'
import { heldUntil } from './alert-users.ts'
import { listDiffering, presentMaintenance, refuseOthersChannels } from './subject-alerts.ts'
import { defaultUserRules } from './user-rules.ts'

const dayMs = 86_400_000

interface AlertsRoutesOptions {
  readonly serve: Serve
  readonly store: AlertsStore
  readonly rules: AlertRulesStore
  readonly channels: Pick<Channels, 'idsOf'>
  readonly islands: Pick<IslandChangeSource, 'whoMayGetAlerts'>
  readonly clock: Clock
}

export async function alertsRoutes(
  app: FastifyInstance,
  { serve, store, rules: rulesStore, channels, islands, clock }: AlertsRoutesOptions,
) {
  const present = async (userKey: number): Promise<OwnAlerts> => {
    const nowMs = clock()
    const [rulesOf, { known }, sentCount, limitedMs, turn] = await Promise.all([
      rulesStore.rulesOf([userKey]),
      listDiffering({ rules: rulesStore, islands }, userKey),
      store.countSince(userKey, nowMs - dayMs),
      store.nthNewestMs(userKey, alertMessagesPerDay),
      store.findTurn(userKey),
    ])
    const { rules, maintenance } = rulesOf.get(userKey) ?? defaultUserRules
    const held = heldUntil(nowMs, { toldMs: turn?.toldMs ?? null, rules, limitedMs })
    // Messages are held only if the user's next turn is set to the end of the hold.
    const isHeld = held !== undefined && held.by !== 'pause' && turn?.lookMs === held.untilMs
    return {
      rules,
      sentCount,
      sentMax: alertMessagesPerDay,
      held: isHeld ? { until: new Date(held.untilMs).toISOString(), by: held.by } : null,
      differing: known.map(({ of, id, name, slug, rules: differ }) => ({
        of,
        id,
        name,
        slug,
        rules: differ,
      })),
      maintenance: presentMaintenance(maintenance, nowMs),
    }
  }

  serve(app, getAlerts, async ({ user: { userKey } }) => ({
    status: 200,
    body: await present(userKey),
  }))

  serve(app, changeAlerts, async ({ user: { userKey, isOperator }, body }) => {
    if (body.tellsReports === true && !isOperator) {
      const fields = { tellsReports: 'Operators alone are told of reports.' }
      throw new DomainError('invalid_input', { fields })
    }
    await refuseOthersChannels(channels, userKey, body.channels)
    await rulesStore.changeRules(userKey, (before) => ({ ...before, ...body }), clock())
    return { status: 200, body: await present(userKey) }
  })

  serve(app, listAlertMessages, async ({ user: { userKey }, query }) => {
    const after = readPosition(query.after)
    if (after === undefined) {
      throw new DomainError('invalid_input', { fields: { after: 'This is the end of no page.' } })
    }
    const found = await store.listMessages(userKey, { after, limit: alertMessagesPageLength + 1 })
    const shown = found.slice(0, alertMessagesPageLength)
    const last = shown.at(-1)
    const next = found.length > shown.length && last !== undefined ? writePosition(last) : null
    return { status: 200, body: { messages: shown.map(presentMessage), next } }
  })
}

export function presentMessage({ id, atMs, message, deliveries }: SentMessage): AlertMessage {
  const { kind, title, lines, url } = message
  return {
    id,
    at: new Date(atMs).toISOString(),
    // Test messages are not stored, but the type allows them.
    kind: kind === 'test' ? 'several' : kind,
    title,
    lines: [...lines],
    url,
    deliveries: deliveries.map(({ channel, state, tries, triedMs, nextMs, answer }) => ({
      channel: { id: channel.id, name: channel.name, kind: channel.kind },
      state,
      tries,
      triedAt: timeOf(triedMs),
      nextTryAt: timeOf(nextMs),
      answer,
    })),
  }
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
