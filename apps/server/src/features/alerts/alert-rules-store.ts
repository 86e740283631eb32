import type { AlertRules, ThingRules } from '@astropelago/contract/alert-rules'
import type { KeyPage } from './alerts-store.ts'
import type { MaintenanceRecord, Subject, UserRules } from './user-rules.ts'

export interface DifferingRules extends Subject {
  readonly name: string
  /** An island's; null for a device. */
  readonly slug: string | null
  readonly rules: ThingRules
}

/** What users chose to be told. Whatever changes has the user's turn come at `nowMs`. */
export interface AlertRulesStore {
  /** Of those who chose anything. Of maintenance there is what ended lately, too: it still counts for what it began. */
  readonly rulesOf: (userKeys: readonly number[]) => Promise<ReadonlyMap<number, UserRules>>
  readonly changeRules: (
    userKey: number,
    change: (rules: AlertRules) => AlertRules,
    nowMs: number,
  ) => Promise<void>
  /**
   * Nothing is kept of one that is as the user's rules have it.
   * @returns false if this would exceed `alertIslandsPerUser`
   */
  readonly changeThingRules: (
    userKey: number,
    subject: Pick<Subject, 'of' | 'key'>,
    change: (rules: ThingRules) => ThingRules,
    nowMs: number,
  ) => Promise<boolean>
  /** Users who have rules of their own for an island, by their keys. */
  readonly listChoosers: (islandKey: number, page: KeyPage) => Promise<readonly number[]>
  /** Of islands also those that the user may not know of any more. */
  readonly listDiffering: (userKey: number) => Promise<readonly DifferingRules[]>
  /** @returns false where the user has as many as `limit` that are not over */
  readonly insertMaintenance: (
    userKey: number,
    record: MaintenanceRecord,
    at: { readonly nowMs: number; readonly limit: number },
  ) => Promise<boolean>
  /** One that has begun ends now, another one never begins. @returns whether there was one that was not over */
  readonly endMaintenance: (userKey: number, id: string, nowMs: number) => Promise<boolean>
  readonly deleteMaintenance: (untilMs: number) => Promise<void>
}
