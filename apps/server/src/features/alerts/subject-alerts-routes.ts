import { randomUUID } from 'node:crypto'
import {
  endMaintenance,
  maintenanceProblem,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import {
  changeDeviceAlerts,
  changeIslandAlerts,
  getDeviceAlerts,
  getIslandAlerts,
} from '@astropelago/contract/alerts'
import { alertMaintenancesPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { Channels } from './channels/channel.ts'
import type { IslandChangeSource } from './read-islands.ts'
import { presentMaintenance, subjectAlerts } from './subject-alerts.ts'
import type { MaintenanceRecord, Subject } from './user-rules.ts'

export interface SubjectAlertsRoutesOptions {
  readonly serve: Serve
  readonly rules: AlertRulesStore
  readonly channels: Pick<Channels, 'idsOf'>
  readonly clock: Clock
  readonly islands: Pick<IslandChangeSource, 'whoMayGetAlerts'> & {
    /**
     * Finds an island that the user may know of.
     * @throws DomainError `not_found`
     */
    readonly find: (userKey: number, id: string) => Promise<Omit<Subject, 'of'>>
    /** Whether the user may know of all these islands. The IDs are distinct. */
    readonly areKnown: (userKey: number, ids: readonly string[]) => Promise<boolean>
  }
  /** Undefined if the device is not the user's. */
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
}

/** Alert rules for single devices and islands, and maintenance. */
export async function subjectAlertsRoutes(
  app: FastifyInstance,
  { serve, rules, channels, islands: known, clock, findOwnDeviceKey }: SubjectAlertsRoutesOptions,
) {
  const alerts = subjectAlerts({ rules, channels, islands: known, clock })

  const findDevice = async (userKey: number, id: string): Promise<Subject> => {
    const key = await findOwnDeviceKey(userKey, id)
    if (key === undefined) throw new DomainError('not_found')
    return { of: 'device', key, id, isOwn: true }
  }

  const findIsland = async (userKey: number, id: string): Promise<Subject> => ({
    ...(await known.find(userKey, id)),
    of: 'island',
  })

  serve(app, getDeviceAlerts, async ({ user: { userKey }, params: { id } }) => ({
    status: 200,
    body: await alerts.read(userKey, await findDevice(userKey, id)),
  }))

  serve(app, changeDeviceAlerts, async ({ user: { userKey }, params: { id }, body }) => ({
    status: 200,
    body: await alerts.change(userKey, await findDevice(userKey, id), body),
  }))

  serve(app, getIslandAlerts, async ({ user: { userKey }, params: { id } }) => ({
    status: 200,
    body: await alerts.read(userKey, await findIsland(userKey, id)),
  }))

  serve(app, changeIslandAlerts, async ({ user: { userKey }, params: { id }, body }) => ({
    status: 200,
    body: await alerts.change(userKey, await findIsland(userKey, id), body),
  }))

  serve(app, planMaintenance, async ({ user: { userKey }, body }) => {
    const nowMs = clock()
    const { devices, islands, note } = body
    const span = spanOf(body, nowMs)
    await Promise.all((devices ?? []).map((id) => findDevice(userKey, id)))
    if (islands !== null && !(await known.areKnown(userKey, islands))) {
      throw new DomainError('not_found')
    }
    const record: MaintenanceRecord = { id: randomUUID(), ...span, devices, islands, note }
    const limit = alertMaintenancesPerUser
    if (!(await rules.insertMaintenance(userKey, record, { nowMs, limit }))) {
      throw new DomainError('maintenance_limit')
    }
    const [planned] = presentMaintenance([record], nowMs)
    if (planned === undefined) throw new Error('a maintenance that was just planned is over')
    return { status: 201, body: planned }
  })

  serve(app, endMaintenance, async ({ user: { userKey }, params: { id } }) => {
    if (!(await rules.endMaintenance(userKey, id, clock()))) throw new DomainError('not_found')
    return { status: 204 }
  })
}

/** Leaves out the part in the past. */
function spanOf(
  { from, until }: { readonly from?: string | undefined; readonly until: string },
  nowMs: number,
) {
  const fromMs = Math.max(nowMs, from === undefined ? nowMs : Date.parse(from))
  const toMs = Date.parse(until)
  const problem = maintenanceProblem({ fromMs, untilMs: toMs }, nowMs)
  if (problem !== undefined) throw new DomainError('invalid_input', { fields: problem })
  return { fromMs, toMs }
}
