import type { AlertRules, SubjectRules } from '@astropelago/contract/alert-rules'
import type { KeyPage } from './alerts-store.ts'
import type { MaintenanceRecord, Subject, UserRules } from './user-rules.ts'

export interface DifferingRules extends Subject {
  readonly name: string
  readonly slug: string | null
  readonly rules: SubjectRules
}

/** Users' alert rules. Every change makes the user's turn due at `nowMs`. */
export interface AlertRulesStore {
  /** Omits users who chose nothing. Includes recent maintenance, which still delays alerts. */
  readonly rulesOf: (userKeys: readonly number[]) => Promise<ReadonlyMap<number, UserRules>>
  readonly changeRules: (
    userKey: number,
    change: (rules: AlertRules) => AlertRules,
    nowMs: number,
  ) => Promise<void>
  /** @returns false if this would exceed `alertIslandsPerUser` */
  readonly changeSubjectRules: (
    userKey: number,
    subject: Pick<Subject, 'of' | 'key'>,
    change: (rules: SubjectRules) => SubjectRules,
    nowMs: number,
  ) => Promise<boolean>
  readonly listChoosers: (islandKey: number, page: KeyPage) => Promise<readonly number[]>
  /** Includes islands that the user may no longer know of. */
  readonly listDiffering: (userKey: number) => Promise<readonly DifferingRules[]>
  /** Keys by ID. Omits checks that are not the user's. */
  readonly findOwnChecks: (
    userKey: number,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>
  /** @returns false if the user already has `limit` maintenances that are not over */
  readonly insertMaintenance: (
    userKey: number,
    record: MaintenanceRecord,
    at: { readonly nowMs: number; readonly limit: number },
  ) => Promise<boolean>
  /** @returns whether there was one that was not over */
  readonly endMaintenance: (userKey: number, id: string, nowMs: number) => Promise<boolean>
  readonly deleteMaintenance: (untilMs: number) => Promise<void>
}
