import type { DoorFacts, Viewer } from './doors.ts'

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

/** What some users are to an island. */
export interface IslandViewersStore {
  readonly read: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<
    readonly {
      readonly userKey: number
      /** Folded; null where there is no such user. */
      readonly username: string | null
      readonly isMember: boolean
      readonly isBlocked: boolean
    }[]
  >
  /** What each user is to an island; of islands that are gone nothing. In no order. */
  readonly readPairs: (pairs: readonly IslandUser[]) => Promise<
    readonly (IslandUser & {
      readonly island: DoorFacts
      readonly viewer: Omit<Viewer, 'hasAsked'>
    })[]
  >
}
