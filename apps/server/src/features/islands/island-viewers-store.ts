import type { AccessFacts, Viewer } from './access-policy.ts'

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

/** What given users are to an island. */
export interface IslandViewersStore {
  readonly read: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<
    readonly {
      readonly userKey: number
      /** Folded; null if there is no such user. */
      readonly username: string | null
      readonly isMember: boolean
      readonly isBlocked: boolean
    }[]
  >
  /** What each user is to an island, in no order. Leaves out islands that are gone. */
  readonly readPairs: (pairs: readonly IslandUser[]) => Promise<
    readonly (IslandUser & {
      readonly island: AccessFacts
      readonly viewer: Omit<Viewer, 'hasAsked'>
    })[]
  >
}
