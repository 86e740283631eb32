import { randomUUID } from 'node:crypto'
import type { CheckImportEntry, CheckImportReport } from '@astropelago/contract/check-import'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { DatabaseTransaction } from '../../../storage/storage.ts'
import type { CheckImportsStore } from './check-imports-store.ts'
import {
  planCheckImport,
  type CheckImportPlan,
  type ImportSurroundings,
} from './plan-check-import.ts'

/** Attempts to plan an import if the user's checks change meanwhile. */
const attemptsMax = 3

export interface ImportChecksParts extends Pick<ImportSurroundings, 'judge'> {
  readonly store: CheckImportsStore
  readonly channels: {
    readonly perUser: number
    readonly canSendMail: boolean
    readonly list: (userKey: number) => Promise<ImportSurroundings['channels']>
    readonly isRefused: ImportSurroundings['isChannelRefused']
    readonly insert: (
      transaction: DatabaseTransaction,
      userKey: number,
      channels: CheckImportPlan['channels'],
    ) => Promise<void>
  }
  readonly statusPages: {
    readonly find: (userKey: number) => Promise<ImportSurroundings['page']>
    /** Adds to what the page shows, and gives it the title if it has none. */
    readonly addChecks: (
      transaction: DatabaseTransaction,
      userKey: number,
      added: { readonly title: string; readonly checks: string[] },
    ) => Promise<void>
    /** After the transaction. */
    readonly forget: (userKey: number) => void
  }
  readonly clock: Clock
}

interface WantedImport {
  readonly userKey: number
  readonly checksMax: number
  readonly entries: readonly CheckImportEntry[]
  readonly isDryRun: boolean
}

/** All or nothing. @throws DomainError `invalid_import`, `check_limit`, `overloaded`; TotalReached */
export async function importChecks(
  parts: ImportChecksParts,
  { userKey, checksMax, entries, isDryRun }: WantedImport,
): Promise<CheckImportReport> {
  const { store, channels, statusPages, judge } = parts
  if (!entries.some(({ of }) => of === 'monitor')) {
    throw new DomainError('invalid_import', { fields: { file: checkImportRefusals.empty } })
  }
  const pushHashes = entries.flatMap(({ becomes }) =>
    becomes.kind === 'check' && becomes.pushHash !== null ? [becomes.pushHash] : [],
  )
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const known = await store.read(userKey, pushHashes)
    const plan = planCheckImport(entries, {
      userKey,
      known,
      judge,
      channels: await channels.list(userKey),
      channelsMax: channels.perUser,
      canSendMail: channels.canSendMail,
      isChannelRefused: channels.isRefused,
      page: await statusPages.find(userKey),
    })
    const room = Math.max(0, checksMax - known.count)
    const report = reportOf(plan, { isDryRun, room })
    if (isDryRun) return report
    const { length: wanted } = plan.created
    if (wanted > room) {
      throw new DomainError('check_limit', {
        fields: { file: checkImportRefusals.noRoom(wanted, room) },
      })
    }
    const outcome = await carryOut(parts, { userKey, checksMax, plan, known: known.imported })
    if (outcome === 'check_limit') throw new DomainError('check_limit')
    if (outcome === 'done') return report
  }
  throw new DomainError('overloaded')
}

async function carryOut(
  { store, channels, statusPages, clock }: ImportChecksParts,
  {
    userKey,
    checksMax,
    plan,
    known,
  }: {
    readonly userKey: number
    readonly checksMax: number
    readonly plan: CheckImportPlan
    readonly known: readonly { readonly id: string; readonly sourceId: string }[]
  },
) {
  const { created, updated, page } = plan
  const nowMs = clock()
  const made = created.map(({ sourceId, name, target, isPaused, pushHash }) => ({
    sourceId,
    name,
    target,
    isPaused,
    id: randomUUID(),
    userKey,
    publicMs: null,
    islandKey: null,
    deviceId: null,
    pushHash: bytesOf(pushHash),
    createdMs: nowMs,
  }))
  const ids = new Map([...known, ...made].map(({ sourceId, id }) => [sourceId, id]))
  const outcome = await store.importChecks(
    {
      userKey,
      created: made,
      updated: updated.map(({ key, name, target, pushHash }) => ({
        key,
        name,
        target,
        pushHash: bytesOf(pushHash),
      })),
      alsoWrite: async (transaction) => {
        await channels.insert(transaction, userKey, plan.channels)
        if (page === undefined) return
        const checks = page.sourceIds.flatMap((sourceId) => ids.get(sourceId) ?? [])
        await statusPages.addChecks(transaction, userKey, { title: page.title, checks })
      },
    },
    checksMax,
  )
  if (outcome === 'done' && page !== undefined) statusPages.forget(userKey)
  return outcome
}

function bytesOf(hash: string | null): Uint8Array | null {
  return hash === null ? null : Buffer.from(hash, 'hex')
}

function reportOf(
  { lines, created }: CheckImportPlan,
  given: { readonly isDryRun: boolean; readonly room: number },
): CheckImportReport {
  const count = (action: CheckImportReport['lines'][number]['action']) =>
    lines.filter((line) => line.action === action).length
  return {
    ...given,
    created: count('create'),
    updated: count('update'),
    unchanged: count('unchanged'),
    left: count('leave'),
    newChecks: created.length,
    lines: [...lines],
  }
}
