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
  /** Whether it can be entered without being signed in. */
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
