import type { CheckTarget } from '@astropelago/contract/checks'
import type { DatabaseTransaction } from '../../../storage/storage.ts'
import type { NewCheck } from '../checks-store.ts'

export interface ImportedCheck {
  readonly key: number
  readonly id: string
  readonly sourceId: string
  readonly name: string
  readonly target: CheckTarget
  readonly hasPushAddress: boolean
}

export interface StoredChecks {
  /** How many checks the user has, wherever they come from. */
  readonly count: number
  /** The user's checks that were imported. */
  readonly imported: readonly ImportedCheck[]
  /** Those of the asked hashes, in hexadecimal, that a check has, with what it was imported from. */
  readonly pushHashes: ReadonlyMap<
    string,
    { readonly userKey: number; readonly sourceId: string | null }
  >
}

export interface CheckImport {
  readonly userKey: number
  readonly created: readonly NewCheck[]
  /** A hash is set only where there was none. */
  readonly updated: readonly (Pick<ImportedCheck, 'key' | 'name' | 'target'> &
    Pick<NewCheck, 'pushHash'>)[]
  /** Writes of other features in the same transaction. */
  readonly alsoWrite: (transaction: DatabaseTransaction) => Promise<void>
}

export interface CheckImportsStore {
  readonly read: (userKey: number, pushHashes: readonly string[]) => Promise<StoredChecks>
  /**
   * All or nothing, within the limit even under simultaneous calls.
   * @returns 'changed' if the user's checks have changed since they were read. @throws TotalReached
   */
  readonly importChecks: (
    checks: CheckImport,
    perUser: number,
  ) => Promise<'done' | 'check_limit' | 'changed'>
}
