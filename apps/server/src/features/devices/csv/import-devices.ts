import { randomUUID } from 'node:crypto'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { DeviceChanges } from '@astropelago/contract/devices'
import type { ImportReport } from '@astropelago/contract/devices-csv'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { makeDeviceToken } from '../device-token.ts'
import type { NewDeviceToken } from '../device-tokens-store.ts'
import type { DeviceRecord, DevicesStore, NewDevice } from '../devices-store.ts'
import { csvRecord } from './csv.ts'
import { planImport, type ImportPlan, type PlanImportOptions } from './plan-import.ts'

const tokensPerTurn = 100
/** Attempts to plan an import if one of its devices is deleted meanwhile. */
const attemptsMax = 3
const fieldsMax = 20

export interface ImportedToken extends Pick<
  NewDeviceToken,
  'id' | 'tokenHash' | 'start' | 'createdMs'
> {
  readonly deviceId: string
}

export interface DeviceImport {
  readonly userKey: number
  readonly created: readonly NewDevice[]
  readonly updated: readonly { readonly id: string; readonly changes: DeviceChanges }[]
  readonly tokens: readonly ImportedToken[]
  readonly atMs: number
}

export interface DeviceImportsStore {
  /** All or nothing, within `limit` even under simultaneous calls. @throws TotalReached */
  readonly importDevices: (
    devices: DeviceImport,
    limit: number,
  ) => Promise<readonly DeviceRecord[] | 'limit_reached' | 'device_missing'>
}

/** All or none. @throws DomainError `invalid_csv`, `device_limit`, `demo_account`; TotalReached */
export async function importDevices(
  {
    store,
    imports,
    clock,
  }: {
    readonly store: Pick<DevicesStore, 'listOwn'>
    readonly imports: DeviceImportsStore
    readonly clock: Clock
  },
  {
    userKey,
    text,
    isDryRun,
    withTokens,
    mayShare,
    ...options
  }: Omit<PlanImportOptions, 'own'> & {
    readonly userKey: number
    readonly text: string
    readonly isDryRun: boolean
    readonly withTokens: boolean
    /** Whether other installations may show the devices. */
    readonly mayShare: boolean
  },
): Promise<ImportReport> {
  for (let attempt = 1; ; attempt += 1) {
    const own = await store.listOwn(userKey)
    const plan = await planImport(text, { ...options, own })
    const planned = [...plan.created, ...plan.updated.map(({ changes }) => changes)]
    if (!mayShare && planned.some(({ isShared }) => isShared)) throw new DomainError('demo_account')
    if (isDryRun) return reportOf(plan, { isDryRun, tokens: null })
    if (plan.failed > 0) throw new DomainError('invalid_csv', { fields: fieldsOf(plan) })
    const atMs = clock()
    const created = plan.created.map((details): NewDevice =>
      Object.assign(details, { id: randomUUID(), userKey, createdMs: atMs }),
    )
    const tokens: (ImportedToken & { readonly token: string })[] = []
    for (const { id: deviceId } of withTokens ? created : []) {
      tokens.push({ ...makeDeviceToken(), deviceId, createdMs: atMs })
      if (tokens.length % tokensPerTurn === 0) await endOfTurn()
    }
    const outcome = await imports.importDevices(
      { userKey, created, updated: plan.updated, tokens, atMs },
      options.limit,
    )
    if (outcome === 'limit_reached') throw new DomainError('device_limit')
    if (outcome === 'device_missing') {
      if (attempt < attemptsMax) continue
      throw new DomainError('overloaded')
    }
    const labels = new Map(created.map(({ id, label }) => [id, label]))
    const lines = tokens.map(({ deviceId, token }) =>
      csvRecord([deviceId, labels.get(deviceId) ?? '', token]),
    )
    const tokensCsv = withTokens ? csvRecord(['id', 'label', 'token']) + lines.join('') : null
    return reportOf(plan, { isDryRun, tokens: tokensCsv })
  }
}

function reportOf(plan: ImportPlan, rest: Pick<ImportReport, 'isDryRun' | 'tokens'>): ImportReport {
  return { ...plan, ...rest, created: plan.created.length, updated: plan.updated.length }
}

function fieldsOf({ errors }: ImportPlan): Record<string, string> {
  return Object.fromEntries(
    errors
      .slice(0, fieldsMax)
      .map(({ line, column, message }) => [`line ${line}${column ? `, ${column}` : ''}`, message]),
  )
}
