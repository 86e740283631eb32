/** What the relay needs to know about an island. */
export interface RelayedIsland {
  readonly key: number
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Null if it belongs to the installation. */
  readonly hostKey: number | null
  readonly hostName: string | null
  /** The device whose agent carries it; null once that device is gone. */
  readonly carrierKey: number | null
  /** Whether it can be entered now without signing in. */
  readonly mayAnybodyEnter: boolean
  readonly mayAnybodyKnow: boolean
  readonly isStopped: boolean
  /** Whether an operator trusts its host. Other hosts' visitors first read whose machine it is. */
  readonly isHostTrusted: boolean
  readonly hasRules: boolean
  readonly opening: { readonly isOpen: boolean; readonly sinceMs: number | null }
  /** Set while its host lets nobody else in. Its text may be empty. */
  readonly pause: {
    readonly text: string
    /** When it ends by itself; null if its host ends it. */
    readonly untilMs: number | null
  } | null
}

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

/** What determines which agents carry an island. */
export type CarriedIsland = Pick<RelayedIsland, 'key' | 'carrierKey'>

/** The islands whose visitors come through the relay, from memory. */
export interface RelayedIslands {
  readonly find: (islandKey: number) => RelayedIsland | undefined
  readonly findBySlug: (slug: string) => RelayedIsland | undefined
  /** Includes what its host has just changed. Undefined for a user who does not host it. */
  readonly findHosted: (hostKey: number, id: string) => Promise<RelayedIsland | undefined>
  readonly carriedBy: (deviceKey: number) => readonly RelayedIsland[]
  /** Calls the listener with each island that may have changed or been deleted. */
  readonly onChange: (listener: (islandKey: number) => void) => void
  /** Calls the listener with each island whose members or blocked users may have changed. */
  readonly onPeopleChange: (listener: (islandKey: number) => void) => void
}
