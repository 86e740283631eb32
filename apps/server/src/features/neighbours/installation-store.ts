import type { KeyChange } from '@astropelago/contract/neighbour-directory'

export interface InstallationRecord {
  readonly privateKey: Uint8Array
  readonly keyNumber: number
  readonly keyChanges: readonly KeyChange[]
  readonly epoch: number
  readonly feedEpoch: string | null
}

export interface InstallationStore {
  /** Changes nothing if there is one. */
  readonly insert: (first: Pick<InstallationRecord, 'privateKey' | 'epoch'>) => Promise<void>
  readonly read: () => Promise<InstallationRecord>
  /** Its number is the time, but larger than any before. */
  readonly beginEpoch: (feedEpoch: string, nowMs: number) => Promise<void>
  /** Changes nothing if another server has changed the key meanwhile. */
  readonly changeKey: (
    next: Pick<InstallationRecord, 'privateKey' | 'keyNumber' | 'keyChanges'>,
  ) => Promise<void>
}
