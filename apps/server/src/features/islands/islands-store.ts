import type { AccessPolicy, IslandChanges, OwnIsland } from '@astropelago/contract/islands'
import type { Figure } from '@astropelago/contract/operator'
import type { AccessFacts, VisibilityFacts, Viewer } from './access-policy.ts'

interface IslandDetails extends Pick<
  OwnIsland,
  | 'id'
  | 'slug'
  | 'name'
  | 'kind'
  | 'picture'
  | 'tagline'
  | 'about'
  | 'rules'
  | 'address'
  | 'isRelayed'
  | 'isHosted'
> {
  readonly createdMs: number
}

export interface IslandRecord extends VisibilityFacts, IslandDetails {
  /** Internal. The API shows `id` and `slug`. */
  readonly key: number
  /** Null unless they changed after publication. */
  readonly rulesChangedMs: number | null
  /** Whether other installations may show it while it is listed. */
  readonly isShared: boolean
  /** A link, the relay and a device that carries the island, or hosted pages. */
  readonly hasAddress: boolean
  /** Its live deployment, whether or not visitors come to it; null if there is none. */
  readonly pages: LivePages | null
  readonly relayStop: RelayStop | null
  /** Null before an agent carried it, or if it has a link. */
  readonly relayOpening: RelayOpening | null
  /** What its host’s checks say of its link; null if none knows, or if visitors come another way. */
  readonly check: CheckedLink | null
  /** The last one, which may be over. */
  readonly pause: IslandPause | null
  readonly isHostTrusted: boolean
  /** Null if it belongs to the installation. */
  readonly hostName: string | null
  readonly hostUsername: string | null
  readonly hostAvatar: string | null
  /** Others may see only a public one. */
  readonly carrier: {
    readonly key: number
    readonly id: string
    readonly label: string
    readonly isPublic: boolean
  } | null
  readonly hiddenReason: string | null
}

export interface LivePages {
  readonly key: number
  readonly sinceMs: number
}

export interface RelayOpening {
  readonly isOpen: boolean
  readonly sinceMs: number
}

export interface CheckedLink {
  readonly isUp: boolean
  readonly sinceMs: number
}

/** Only the host may enter. A stored pause may be over. */
export interface IslandPause {
  readonly fromMs: number
  /** Null until the host continues. */
  readonly untilMs: number | null
  /** Shown to visitors; may be empty. */
  readonly text: string
}

export interface OperatorOrder {
  readonly atMs: number
  readonly reason: string
}

export interface RelayStop extends OperatorOrder {
  readonly ofHost: boolean
}

/** Even if the viewer may not see it: access-policy.ts decides that. */
export interface FoundIsland {
  readonly island: IslandRecord
  readonly viewer: Viewer
  readonly memberCount: number
}

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

export interface IslandViewer extends IslandUser {
  readonly island: AccessFacts
  readonly viewer: Viewer
  /** Folded; null if there is no such user. */
  readonly username: string | null
}

export interface OwnIslandRecord extends IslandRecord {
  readonly memberCount: number
  readonly requestCount: number
  /** Since a given time, at most `notesCounted`. */
  readonly noteCount: number
  /** Only those that its host may see. */
  readonly neighbours: readonly IslandRecord[]
  /** Last replaced first. */
  readonly oldSlugs: readonly { readonly slug: string; readonly replacedMs: number }[]
}

export interface OwnSince {
  readonly notesMs: number
  readonly oldSlugsMs: number
}

export interface NewIslandRecord extends IslandDetails {
  readonly userKey: number
  readonly carrierKey: number | null
}

export type OfInstallation = Omit<IslandDetails, 'isRelayed' | 'isHosted' | 'rules'> &
  Pick<IslandRecord, 'access' | 'isListed'>

/** Undefined values stay. */
export interface IslandUpdate extends Omit<IslandChanges, 'carrier' | 'neighbours'> {
  readonly carrierKey?: number | null | undefined
  readonly neighbourKeys?: readonly number[] | undefined
  readonly rulesChangedMs?: number
  readonly pause?: IslandPause
}

/** Why a slug is refused: somebody has it or a look-alike, or the user has used too many. */
export type SlugRefusal = 'taken' | 'limit_reached'
type SlugChange = Promise<'changed' | 'unchanged' | 'missing' | 'in-review' | SlugRefusal>

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
  /** Undefined if its host has `limit` already. @throws TotalReached */
  readonly insert: (island: NewIslandRecord, limit: number) => Promise<number | undefined>
  /** Newest first. */
  readonly listOwn: (userKey: number, since: OwnSince) => Promise<readonly OwnIslandRecord[]>
  readonly findOwn: (
    userKey: number,
    id: string,
    since: OwnSince,
  ) => Promise<OwnIslandRecord | undefined>
  readonly listOwnKeys: (userKey: number) => Promise<readonly number[]>
  /** Last joined first, whether or not the user may see them. */
  readonly listJoined: (userKey: number, limit: number) => FoundIslands
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
  /** The islands alone, which costs less. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandRecord[]>
  readonly readViewers: (pairs: readonly IslandUser[]) => Promise<readonly IslandViewer[]>
  /** Those that the viewer may see, in their order. */
  readonly listNeighbours: (viewerKey: ViewerKey, islandKey: number) => FoundIslands
  /** @throws ReferenceViolation */
  readonly update: (
    userKey: number,
    id: string,
    changes: IslandUpdate,
  ) => Promise<number | undefined>
  /** If everybody may then see it, it takes `slug` as its plain one. Not listed with pages in review. */
  readonly publish: (
    userKey: number,
    id: string,
    to: {
      readonly access: AccessPolicy
      readonly isListed: boolean
      /** Stays as it is if it is undefined. */
      readonly isShared?: boolean | undefined
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
  readonly checkSlug: (userKey: number, slug: string) => Promise<'free' | SlugRefusal>
  readonly delete: (userKey: number, id: string) => Promise<number | undefined>
  /** Inserts it only once ever, even if it is deleted later. */
  readonly insertOfInstallation: (island: OfInstallation) => Promise<void>
  /** Lets visitors of an island of the installation come to its pages. */
  readonly hostInstallations: (key: number) => Promise<void>
  /** False unless the slug is in use. A host gets `max` certificates after `sinceMs`. */
  readonly claimCertificate: (
    slug: string,
    limit: { readonly atMs: number; readonly sinceMs: number; readonly max: number },
  ) => Promise<boolean>
  /** Plain ones stay taken. @returns how many were deleted */
  readonly deleteOldSlugs: (untilMs: number) => Promise<number>
  readonly countByState: () => Promise<Readonly<Record<IslandState, number>>>
  readonly figures: () => Promise<readonly Figure[]>
}
