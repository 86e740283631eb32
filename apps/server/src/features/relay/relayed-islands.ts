/** What the relay asks of islands; `app.ts` hands it in. */
export interface RelayedIsland {
  readonly key: number
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Null where it belongs to the installation. */
  readonly hostKey: number | null
  readonly hostName: string | null
  /** The device whose agent carries it; null once that is gone. */
  readonly carrierKey: number | null
  /** Whether it can be entered now without being signed in. */
  readonly mayAnybodyEnter: boolean
  /** Whether everybody may know of it. */
  readonly mayAnybodyKnow: boolean
  /** Whether an operator lets the relay carry nobody to it. */
  readonly isStopped: boolean
  /** Whether an operator trusts its host: others' visitors are told first whose machine it is. */
  readonly isHostTrusted: boolean
  /** Whether its host has rules, which its page shows. */
  readonly hasRules: boolean
  readonly opening: { readonly isOpen: boolean; readonly sinceMs: number | null }
  /** That its host lets nobody else in now; null while that is not so. */
  readonly pause: RelayedPause | null
}

export interface RelayedPause {
  /** What visitors read; '' for nothing. */
  readonly text: string
  /** When it ends by itself; null where its host ends it. */
  readonly untilMs: number | null
}

/** What somebody may of an island. */
export interface EntryRights {
  readonly mayEnter: boolean
  /** Whether no pause keeps them out: its host, and operators. */
  readonly entersPaused: boolean
}

/** Whether somebody is let in now. */
export function isLetIn(
  { pause }: Pick<RelayedIsland, 'pause'>,
  { mayEnter, entersPaused }: EntryRights,
): boolean {
  return mayEnter && (pause === null || entersPaused)
}

/** An island, as far as it says whose agent carries it. */
export type CarriedIsland = Pick<RelayedIsland, 'key' | 'carrierKey'>

/** The islands whose visitors come through the relay, as memory has them. */
export interface RelayedIslands {
  readonly find: (islandKey: number) => RelayedIsland | undefined
  readonly findBySlug: (slug: string) => RelayedIsland | undefined
  /** As it is after what its host has just changed; undefined for whoever does not host it. */
  readonly findHosted: (hostKey: number, id: string) => Promise<RelayedIsland | undefined>
  readonly carriedBy: (deviceKey: number) => readonly RelayedIsland[]
  /** Called with each island that may be another one now, or be gone. */
  readonly onChange: (listener: (islandKey: number) => void) => void
  /** Called with each island of which somebody may be a member now, or be none any more, or be blocked. */
  readonly onPeopleChange: (listener: (islandKey: number) => void) => void
}
