import type { DirectoryDevice, DirectoryIsland } from '@astropelago/contract/neighbour-directory'
import type { NeighbourState } from '@astropelago/contract/operator-neighbours'

/** A place in a neighbour's order of changes. */
export interface DirectoryPosition {
  readonly epoch: number
  readonly number: number
}

export interface NeighbourRecord {
  readonly key: number
  readonly id: string
  readonly address: string
  readonly name: string
  readonly colour: number
  readonly state: NeighbourState
  /** For operators: why it is held, or why nothing comes. */
  readonly note: string | null
  readonly publicKey: string
  readonly keyNumber: number
  readonly unknownKey: string | null
  /** The last that is known; null if nothing ever came. */
  readonly epoch: number | null
  /** How far its changes are known; null until a snapshot is complete. */
  readonly number: number | null
  readonly contactMs: number | null
  readonly addedMs: number
}

export type NewNeighbour = Pick<
  NeighbourRecord,
  'id' | 'address' | 'name' | 'publicKey' | 'keyNumber' | 'addedMs'
>

export type NeighbourUpdate = Partial<
  Pick<NeighbourRecord, 'name' | 'state' | 'note' | 'publicKey' | 'keyNumber' | 'unknownKey'>
>

export type SubjectKind = 'device' | 'island'

export interface NeighbourSubject {
  readonly kind: SubjectKind
  readonly id: string
}

export interface Counts {
  readonly devices: number
  readonly islands: number
}

/** What a statement says, each subject at most once. */
export interface DirectoryChanges {
  readonly devices: readonly DirectoryDevice[]
  readonly islands: readonly DirectoryIsland[]
  readonly removed: readonly NeighbourSubject[]
}

/** What has changed in storage. */
export interface AppliedChanges {
  readonly devices: readonly (DirectoryDevice & { readonly key: number })[]
  readonly islands: readonly (DirectoryIsland & { readonly key: number })[]
  readonly removed: readonly (NeighbourSubject & { readonly key: number })[]
  /** How many there are more than before; negative if there are fewer. */
  readonly grownBy: Counts
}

export interface StoredDevice extends DirectoryDevice {
  readonly key: number
  readonly neighbourKey: number
}

export interface StoredIsland extends DirectoryIsland {
  readonly key: number
  readonly neighbourKey: number
}

export interface IslandsAsked {
  /** Of these neighbours. */
  readonly neighbourKeys: readonly number[]
  readonly kind?: DirectoryIsland['kind'] | undefined
  readonly isOpen?: true | undefined
  readonly access?: 'public' | undefined
  readonly after?: { readonly isOpen: boolean; readonly key: number } | undefined
  readonly limit: number
}

export type AddOutcome = NeighbourRecord | 'neighbour_limit' | 'known'

/** Thrown by `apply` before anything is kept. */
export class TooManySubjects extends Error {}

export interface NeighboursStore {
  readonly list: () => Promise<readonly NeighbourRecord[]>
  readonly insert: (neighbour: NewNeighbour) => Promise<AddOutcome>
  readonly update: (key: number, update: NeighbourUpdate) => Promise<void>
  /** From the beginning, whatever went wrong. */
  readonly resume: (key: number) => Promise<void>
  readonly delete: (key: number) => Promise<void>
  /** All that came from it. */
  readonly deleteSubjects: (key: number) => Promise<void>

  /** What comes until `endSnapshot` belongs to it. */
  readonly beginSnapshot: (key: number, epoch: number) => Promise<void>
  /** Deletes what the snapshot does not have so far. */
  readonly deleteMissing: (key: number) => Promise<AppliedChanges>
  /** Deletes what the snapshot does not have. */
  readonly endSnapshot: (
    key: number,
    position: DirectoryPosition,
    contactMs: number,
  ) => Promise<AppliedChanges>
  /** @throws TooManySubjects */
  readonly apply: (
    key: number,
    changes: DirectoryChanges,
    at: {
      /** Undefined within a snapshot. */
      readonly position?: DirectoryPosition
      /** How many may be new. */
      readonly room: Counts
    },
  ) => Promise<AppliedChanges>
  /** Nothing has changed up to this position. */
  readonly recordContact: (
    key: number,
    contactMs: number,
    position?: DirectoryPosition,
  ) => Promise<void>

  /** By neighbour key. */
  readonly countAll: () => Promise<ReadonlyMap<number, Counts>>
  readonly listHidden: () => Promise<ReadonlyMap<number, readonly NeighbourSubject[]>>
  /** @returns false if there is no such thing to hide, or it was not hidden */
  readonly setHidden: (
    key: number,
    subject: NeighbourSubject,
    isHidden: boolean,
  ) => Promise<boolean>

  /** These leave out what is hidden. */
  readonly loadDevices: (neighbourKeys: readonly number[]) => AsyncIterable<readonly StoredDevice[]>
  readonly listIslands: (
    asked: IslandsAsked,
  ) => Promise<{ readonly islands: readonly StoredIsland[]; readonly total: number }>
}
