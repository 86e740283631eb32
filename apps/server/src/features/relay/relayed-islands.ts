import type { IslandsFeature } from '../islands/public.ts'

export type RelayedIslands = IslandsFeature['relayed']
export type RelayedIsland = NonNullable<ReturnType<RelayedIslands['find']>>

export type CarriedIsland = Pick<RelayedIsland, 'key' | 'carrierKey'>

export interface EntryRights {
  readonly mayEnter: boolean
  /** Whether a pause does not apply: to its host and to operators. */
  readonly entersPaused: boolean
}

export type ReadRights = (
  islandKey: number,
  userKeys: readonly number[],
) => Promise<(userKey: number | null) => EntryRights>

export function isLetIn(
  { pause }: Pick<RelayedIsland, 'pause'>,
  { mayEnter, entersPaused }: EntryRights,
): boolean {
  return mayEnter && (pause === null || entersPaused)
}
