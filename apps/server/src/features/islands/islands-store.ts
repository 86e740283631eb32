import type { AccessPolicy, IslandChanges, IslandKind } from '@astropelago/contract/islands'
import type { Figure } from '@astropelago/contract/operator'
import type { AccessFacts, VisibilityFacts, Viewer } from './access-policy.ts'

interface IslandDetails {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly kind: IslandKind
  /** The seed of its picture, which also depends on its kind. */
  readonly picture: number
  readonly tagline: string
  readonly about: string
  readonly rules: string
  /** A link of its own. */
  readonly address: string | null
  /** Whether visitors come through the relay. Then it has no link. */
  readonly isRelayed: boolean
  readonly createdMs: number
}

export interface IslandRecord extends VisibilityFacts, IslandDetails {
  /** Internal. The API shows `id` and `slug`. */
  readonly key: number
  /** When the rules last changed after publication. */
  readonly rulesChangedMs: number | null
  /** Whether there is a way in: a link, or the relay and a device that carries it. */
  readonly hasAddress: boolean
  /** Null if the relay may carry visitors to it. */
  readonly relayStop: RelayStop | null
  /** Null if no agent has carried it yet, or if it has a link. */
  readonly relayOpening: RelayOpening | null
  /** The last one, which may be over; null if there never was one. */
  readonly pause: IslandPause | null
  /** Whether an operator trusts its host. */
  readonly isHostTrusted: boolean
  /** The host's display name; null if it belongs to the installation. */
  readonly hostName: string | null
  readonly hostUsername: string | null
  /** The name of the host's picture. */
  readonly hostAvatar: string | null
  /** The host's device that carries it. Others may see only a public one. */
  readonly carrier: {
    readonly key: number
    readonly id: string
    readonly label: string
    readonly isPublic: boolean
  } | null
  readonly hiddenReason: string | null
}

/** Whether agents carry an island, and since when. */
export interface RelayOpening {
  readonly isOpen: boolean
  readonly sinceMs: number
}

/** A time in which the host lets nobody else in. A stored pause may be over. */
export interface IslandPause {
  readonly fromMs: number
  /** Null until the host continues. */
  readonly untilMs: number | null
  /** Shown to visitors; may be empty. */
  readonly text: string
}

/** What an operator ordered, to hide something or to stop the relay for it. */
export interface OperatorOrder {
  readonly atMs: number
  readonly reason: string
}

export interface RelayStop extends OperatorOrder {
  /** Whether it stops the relay for all islands of the host. */
  readonly ofHost: boolean
}

/** An island and what a user is to it, even one who may not see it: `access-policy.ts` decides that. */
export interface FoundIsland {
  readonly island: IslandRecord
  readonly viewer: Viewer
  readonly memberCount: number
}

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

/** What a user is to an island, as far as access depends on it. */
export interface IslandViewer extends IslandUser {
  readonly island: AccessFacts
  readonly viewer: Viewer
  /** Folded; null if there is no such user. */
  readonly username: string | null
}

/** An island with what only its host sees. */
export interface OwnIslandRecord extends IslandRecord {
  readonly memberCount: number
  readonly requestCount: number
  /** Notes by visitors since the given time, at most `notesCounted`. */
  readonly noteCount: number
  /** Those that its host may see, in their order. */
  readonly neighbours: readonly IslandRecord[]
  /** Old slugs that still lead to it, last replaced first. */
  readonly oldSlugs: readonly { readonly slug: string; readonly replacedMs: number }[]
}

/** The time from which notes are counted, and the one after which replaced slugs still lead somewhere. */
export interface OwnSince {
  readonly notesMs: number
  readonly oldSlugsMs: number
}

export interface NewIslandRecord extends IslandDetails {
  readonly userKey: number
  readonly carrierKey: number | null
}

export type OfInstallation = Omit<IslandDetails, 'isRelayed' | 'rules'> &
  Pick<IslandRecord, 'access' | 'isListed'>

/** The new values. Undefined ones stay. */
export interface IslandUpdate extends Omit<IslandChanges, 'carrier' | 'neighbours'> {
  readonly carrierKey?: number | null | undefined
  readonly neighbourKeys?: readonly number[] | undefined
  readonly rulesChangedMs?: number
  readonly pause?: IslandPause
}

/** Why a slug is refused: somebody has it or a look-alike, or the user has used too many. */
export type SlugRefusal = 'taken' | 'limit_reached'
type SlugChange = Promise<'changed' | 'unchanged' | 'missing' | SlugRefusal>

/** Each island is in exactly one. `hidden` includes islands whose host is disabled. */
export type IslandState = 'draft' | 'unlisted' | 'listed' | 'hidden'

type ViewerKey = number | null
type FoundIslands = Promise<readonly FoundIsland[]>

/**
 * Islands, their slugs and their routes. Methods that take a `userKey` affect only that user's own islands.
 * Lists of what was asked for leave out what does not exist, and have no order. Limits hold under
 * simultaneous calls. Islands are deleted with their host.
 */
export interface IslandsStore {
  /**
   * Inserts a draft; undefined if its host has `limit` already.
   * @throws TotalReached if the server has as many as it may
   */
  readonly insert: (island: NewIslandRecord, limit: number) => Promise<number | undefined>
  /** Newest first. */
  readonly listOwn: (userKey: number, since: OwnSince) => Promise<readonly OwnIslandRecord[]>
  readonly findOwn: (
    userKey: number,
    id: string,
    since: OwnSince,
  ) => Promise<OwnIslandRecord | undefined>
  readonly listOwnKeys: (userKey: number) => Promise<readonly number[]>
  /** Islands the user is a member of, last joined first, whether or not the user may see them. */
  readonly listJoined: (userKey: number, limit: number) => FoundIslands
  /** Islands the user hosts, seen as their host. */
  readonly listHosted: (userKey: number) => FoundIslands
  /** By its slug, or by one that was replaced after `oldSinceMs`. */
  readonly findBySlug: (
    viewerKey: ViewerKey,
    slug: string,
    oldSinceMs: number,
  ) => Promise<FoundIsland | undefined>
  readonly findById: (viewerKey: ViewerKey, id: string) => Promise<FoundIsland | undefined>
  readonly findManyBySlug: (viewerKey: ViewerKey, slugs: readonly string[]) => FoundIslands
  readonly findManyById: (viewerKey: ViewerKey, ids: readonly string[]) => FoundIslands
  readonly findManyByKey: (viewerKey: ViewerKey, keys: readonly number[]) => FoundIslands
  readonly readViewers: (pairs: readonly IslandUser[]) => Promise<readonly IslandViewer[]>
  /** The neighbours that the viewer may see, in their order. */
  readonly listNeighbours: (viewerKey: ViewerKey, islandKey: number) => FoundIslands
  /**
   * @returns its key; undefined if there is none
   * @throws ReferenceViolation
   */
  readonly update: (
    userKey: number,
    id: string,
    changes: IslandUpdate,
  ) => Promise<number | undefined>
  /** Sets its access policy and, if everybody may then see it, takes `slug` as its plain one. */
  readonly publish: (
    userKey: number,
    id: string,
    to: {
      readonly access: AccessPolicy
      readonly isListed: boolean
      readonly slug: string | undefined
      readonly atMs: number
    },
  ) => SlugChange
  /** Takes `slug`, or `secret` if not everybody may see the island. The old slug still leads to it. */
  readonly rename: (
    userKey: number,
    id: string,
    to: { readonly slug: string; readonly secret: string; readonly atMs: number },
  ) => SlugChange
  /** Whether an island of the user could take this plain slug. */
  readonly checkSlug: (userKey: number, slug: string) => Promise<'free' | SlugRefusal>
  /** @returns the deleted island's key */
  readonly delete: (userKey: number, id: string) => Promise<number | undefined>
  /** Inserts an island of the installation, only once ever, even if it is deleted later. */
  readonly insertOfInstallation: (island: OfInstallation) => Promise<void>
  /**
   * Records that a proxy may get a certificate for a slug that is in use. A host gets `max` of them after
   * `sinceMs`.
   * @returns whether it may
   */
  readonly claimCertificate: (
    slug: string,
    limit: { readonly atMs: number; readonly sinceMs: number; readonly max: number },
  ) => Promise<boolean>
  /**
   * Deletes old slugs that were not plain. Plain ones stay taken.
   * @returns how many
   */
  readonly deleteOldSlugs: (untilMs: number) => Promise<number>
  readonly countByState: () => Promise<Readonly<Record<IslandState, number>>>
  readonly figures: () => Promise<readonly Figure[]>
}
