import type { ListedEntries, ValueEntry, ValueStore } from '@astropelago/contract/island-runtime'
import type { Writer } from '../rooms/public.ts'

export interface ValueId {
  readonly islandKey: number
  readonly store: ValueStore
  /** The visitor whose own value it is; 0 in the other stores. */
  readonly ownerKey: number
  readonly key: string
}

/**
 * Who may write a shared value: `own` lets everybody create it and its author change it, `anyone` everybody
 * change it, `append` everybody create it and nobody change it. The host may do all of that.
 */
export type ValueRule = 'own' | 'anyone' | 'append' | 'host'

export type ValueWrite = ValueId & {
  readonly writer: Writer
  readonly isHost: boolean
  readonly rule: ValueRule
  readonly atMs: number
} & (
    | {
        readonly kind: 'set'
        /** JSON. */
        readonly value: string
      }
    | { readonly kind: 'delete' }
  )

export type ValueOutcome = 'done' | 'unchanged' | 'quota_exceeded' | 'not_yours' | 'signed_out'

export interface ValueTotals {
  readonly keys: number
  readonly bytes: number
}

export interface IslandValuesStore {
  /** In the order of their code points. */
  readonly listKeys: (id: Omit<ValueId, 'key'>) => Promise<string[]>
  /** In the order asked for; a value is null if it is missing. */
  readonly read: (ids: readonly ValueId[]) => Promise<readonly ValueEntry[]>
  /** Those whose keys begin with the prefix, in the order of their keys; the last changed if they are many. */
  readonly listEntries: (
    id: Omit<ValueId, 'key'> & { readonly prefix: string },
  ) => Promise<ListedEntries>
  /** In order; resolves when all are durable. */
  readonly write: (writes: readonly ValueWrite[]) => Promise<readonly ValueOutcome[]>
  readonly totals: (islandKey: number) => Promise<ValueTotals>
  /** A text that changes with the values of an island. */
  readonly readState: (islandKey: number) => Promise<string>
}
