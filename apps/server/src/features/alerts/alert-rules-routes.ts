import { dayMs } from '../../history/time-spans.ts'
import { randomUUID } from 'node:crypto'
import {
  endMaintenance,
  maintenanceProblem,
  planMaintenance,
  type Maintenance,
} from '@astropelago/contract/alert-maintenance'
import { sameRules, type SubjectRulesChanges } from '@astropelago/contract/alert-rules'
import {
  changeAlerts,
  changeCheckAlerts,
  changeDeviceAlerts,
  changeIslandAlerts,
  getAlerts,
  getCheckAlerts,
  getDeviceAlerts,
  getIslandAlerts,
} from '@astropelago/contract/alerts'
import { alertMaintenancesPerUser, alertMessagesPerDay } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { AlertMessagesStore } from './alert-messages-store.ts'
import type { AlertRulesStore, DifferingRules } from './alert-rules-store.ts'
import type { AlertsStore } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import { heldUntil } from './take-turn.ts'
import {
  covers,
  defaultUserRules,
  isAlerted,
  subjectName,
  type MaintenanceRecord,
  type Subject,
} from './user-rules.ts'

export interface AlertRulesRoutesOptions {
  readonly serve: Serve
  readonly store: Pick<AlertsStore, 'findTurn'>
  readonly messages: Pick<AlertMessagesStore, 'timesSince'>
  readonly rules: AlertRulesStore
  readonly channels: Pick<Channels, 'idsOf'>
  readonly islands: Pick<IslandsFeature['alerts'], 'whoMayGetAlerts' | 'find' | 'areKnown'>
  readonly clock: Clock
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
}

export async function alertRulesRoutes(app: FastifyInstance, options: AlertRulesRoutesOptions) {
  const { serve, store, messages, rules: rulesStore, channels, islands, clock } = options

  const rulesOf = async (userKey: number) =>
    (await rulesStore.rulesOf([userKey])).get(userKey) ?? defaultUserRules

  const readAll = async (userKey: number) => {
    const nowMs = clock()
    const [{ rules, maintenance }, { known }, sentMs, turn] = await Promise.all([
      rulesOf(userKey),
      listDiffering(options, userKey),
      messages.timesSince(userKey, nowMs - dayMs),
      store.findTurn(userKey),
    ])
    const held = heldUntil(nowMs, { toldMs: turn?.toldMs ?? null, sentMs }, rules)
    // Messages are held only if the user's next turn is set to the end of the hold.
    const isHeld = held !== undefined && held.by !== 'pause' && turn?.dueMs === held.untilMs
    return {
      rules,
      sentCount: sentMs.length,
      sentMax: alertMessagesPerDay,
      held: isHeld ? { until: isoTime(held.untilMs), by: held.by } : null,
      differing: known.map(presentDiffering),
      maintenance: presentMaintenance(maintenance, nowMs),
    }
  }

  const read = async (userKey: number, subject: Subject) => {
    const user = await rulesOf(userKey)
    const planned = user.maintenance.filter((one) => covers(one, subject))
    return {
      rules: user.differing.get(subjectName(subject)) ?? sameRules,
      isOn: isAlerted(subject, user),
      maintenance: presentMaintenance(planned, clock()),
    }
  }

  const change = async (userKey: number, subject: Subject, changes: SubjectRulesChanges) => {
    await refuseOthersChannels(userKey, changes.channels)
    const tryChange = () =>
      rulesStore.changeSubjectRules(userKey, subject, (own) => ({ ...own, ...changes }), clock())
    if (await tryChange()) return
    // The user cannot find these islands to give them up by hand.
    const { unknown } = await listDiffering(options, userKey)
    for (const island of unknown) {
      await rulesStore.changeSubjectRules(userKey, island, () => sameRules, clock())
      if (await tryChange()) return
    }
    throw new DomainError('alert_islands_limit')
  }

  const findDevice = async (userKey: number, id: string): Promise<Subject> => {
    const key = await options.findOwnDeviceKey(userKey, id)
    if (key === undefined) throw new DomainError('not_found')
    return { of: 'device', key, id, isOwn: true }
  }

  const findIsland = async (userKey: number, id: string): Promise<Subject> => ({
    ...(await islands.find(userKey, id)),
    of: 'island',
  })

  const findCheck = async (userKey: number, id: string): Promise<Subject> => {
    const key = (await rulesStore.findOwnChecks(userKey, [id])).get(id)
    if (key === undefined) throw new DomainError('not_found')
    return { of: 'check', key, id, isOwn: true }
  }

  serve(app, getAlerts, async ({ user: { userKey } }) => ({
    status: 200,
    body: await readAll(userKey),
  }))

  serve(app, changeAlerts, async ({ user: { userKey, isOperator }, body }) => {
    if (body.tellsReports === true && !isOperator) {
      const fields = { tellsReports: 'Only operators get alerts about reports.' }
      throw new DomainError('invalid_input', { fields })
    }
    await refuseOthersChannels(userKey, body.channels)
    await rulesStore.changeRules(userKey, (before) => ({ ...before, ...body }), clock())
    return { status: 200, body: await readAll(userKey) }
  })

  for (const [getRoute, changeRoute, find] of [
    [getDeviceAlerts, changeDeviceAlerts, findDevice],
    [getIslandAlerts, changeIslandAlerts, findIsland],
    [getCheckAlerts, changeCheckAlerts, findCheck],
  ] as const) {
    serve(app, getRoute, async ({ user: { userKey }, params: { id } }) => ({
      status: 200,
      body: await read(userKey, await find(userKey, id)),
    }))

    serve(app, changeRoute, async ({ user: { userKey }, params: { id }, body }) => {
      const subject = await find(userKey, id)
      await change(userKey, subject, body)
      return { status: 200, body: await read(userKey, subject) }
    })
  }

  serve(app, planMaintenance, async ({ user: { userKey }, body }) => {
    const nowMs = clock()
    const { devices, islands: islandIds, checks, note } = body
    const fromMs = Math.max(nowMs, body.from === undefined ? nowMs : Date.parse(body.from))
    const toMs = Date.parse(body.until)
    const problem = maintenanceProblem({ fromMs, untilMs: toMs }, nowMs)
    if (problem !== undefined) throw new DomainError('invalid_input', { fields: problem })
    await Promise.all((devices ?? []).map((id) => findDevice(userKey, id)))
    if (islandIds !== null && !(await islands.areKnown(userKey, islandIds))) {
      throw new DomainError('not_found')
    }
    if (checks !== null && (await rulesStore.findOwnChecks(userKey, checks)).size < checks.length) {
      throw new DomainError('not_found')
    }
    const record = { id: randomUUID(), fromMs, toMs, devices, islands: islandIds, checks, note }
    const limit = alertMaintenancesPerUser
    if (!(await rulesStore.insertMaintenance(userKey, record, { nowMs, limit }))) {
      throw new DomainError('maintenance_limit')
    }
    return { status: 201, body: presentPlanned(record) }
  })

  serve(app, endMaintenance, async ({ user: { userKey }, params: { id } }) => {
    if (!(await rulesStore.endMaintenance(userKey, id, clock()))) throw new DomainError('not_found')
    return { status: 204 }
  })

  async function refuseOthersChannels(
    userKey: number,
    chosen: readonly string[] | null | undefined,
  ): Promise<void> {
    if (chosen === null || chosen === undefined) return
    const own = new Set(await channels.idsOf(userKey))
    if (chosen.every((id) => own.has(id))) return
    throw new DomainError('invalid_input', { fields: { channels: 'There is no such channel.' } })
  }
}

/** Subjects with rules of their own. `unknown` are islands that the user may no longer know of. */
export async function listDiffering(
  { rules, islands }: Pick<AlertRulesRoutesOptions, 'rules' | 'islands'>,
  userKey: number,
) {
  const differing = await rules.listDiffering(userKey)
  const others = differing.filter(({ isOwn }) => !isOwn)
  const mayGetAlerts = await islands.whoMayGetAlerts(
    others.map(({ key: islandKey }) => ({ userKey, islandKey })),
  )
  return {
    known: differing.filter(({ isOwn, key }) => isOwn || mayGetAlerts(userKey, key)),
    unknown: others.filter(({ key }) => !mayGetAlerts(userKey, key)),
  }
}

function presentDiffering({ of, id, name, slug, rules }: DifferingRules) {
  return { of, id, name, slug, rules }
}

export function presentMaintenance(
  records: readonly MaintenanceRecord[],
  nowMs: number,
): Maintenance[] {
  return records.filter(({ toMs }) => toMs > nowMs).map(presentPlanned)
}

function presentPlanned({ id, fromMs, toMs, note, ...named }: MaintenanceRecord) {
  const { devices, islands, checks } = named
  return {
    id,
    from: isoTime(fromMs),
    until: isoTime(toMs),
    devices: devices && [...devices],
    islands: islands && [...islands],
    checks: checks && [...checks],
    note,
  }
}
