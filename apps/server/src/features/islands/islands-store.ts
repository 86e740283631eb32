import type { Door, IslandChanges, IslandKind } from '@astropelago/contract/islands'
import type { Figure } from '@astropelago/contract/operator'
import type { KnownFacts, Viewer } from './doors.ts'
import type { IslandPause } from './island-pause.ts'

export interface IslandRecord extends KnownFacts {
  /** Internal; people see `id` and `slug`. */
  readonly key: number
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly kind: IslandKind
  /** What its picture is drawn from, with its kind. */
  readonly picture: number
  readonly tagline: string
  readonly about: string
  readonly rules: string
  /** When they last changed since it was published. */
  readonly rulesChangedMs: number | null
  /** A link of its own. */
  readonly address: string | null
  /** Whether visitors come through the relay; then it has no link. */
  readonly isRelayed: boolean
  /** Null while the relay may carry visitors to it. */
  readonly relayStop: RelayStop | null
  /** Null where no agent has carried it yet, or it has a link. */
  readonly relayOpening: RelayOpening | null
  /** The last one, which may be over; null where there never was one. */
  readonly pause: IslandPause | null
  /** Whether an operator trusts its host. */
  readonly isHostTrusted: boolean
  /** What its host is called; null where it belongs to the installation. */
  readonly hostName: string | null
  readonly hostUsername: string | null
  /** The name of the host's picture. */
  readonly hostAvatar: string | null
  /** The host's device that carries it; only a public one may be named to others. */
  readonly carrier: Carrier | null
  readonly createdMs: number
  readonly hiddenReason: string | null
}

/** Whether agents carry an island, and since when that is so. */
export interface RelayOpening {
  readonly isOpen: boolean
  readonly sinceMs: number
}

/** That an operator lets the relay carry nobody to an island, be it this one or all of its host. */
export interface RelayStop {
  readonly ofHost: boolean
  readonly atMs: number
  readonly reason: string
}

interface Carrier {
  readonly key: number
  readonly id: string
  readonly label: string
  readonly isPublic: boolean
}

/** An island with what somebody is to it, whatever its door: `doors.ts` says what that one may know. */
export interface FoundIsland {
  readonly island: IslandRecord
  readonly viewer: Viewer
  readonly memberCount: number
}

/** An island with what concerns its host alone. */
export interface OwnIslandRecord extends IslandRecord {
  readonly memberCount: number
  readonly requestCount: number
  /** Notes that visitors left since the time that was asked for; at most `notesCounted`. */
  readonly noteCount: number
  /** Those that its host may know of, in their order. */
  readonly neighbours: readonly IslandRecord[]
  /** That lead to it, the last first. */
  readonly oldSlugs: readonly { readonly slug: string; readonly replacedMs: number }[]
}

/** Since when notes are counted, and old slugs lead to their island. */
export interface OwnSince {
  readonly notesMs: number
  readonly oldSlugsMs: number
}

export interface NewIslandRecord {
  readonly id: string
  readonly userKey: number
  readonly slug: string
  readonly name: string
  readonly kind: IslandKind
  readonly picture: number
  readonly tagline: string
  readonly about: string
  readonly rules: string
  readonly address: string | null
  readonly isRelayed: boolean
  readonly carrierKey: number | null
  readonly createdMs: number
}

/** What changes; what is undefined stays. */
export interface IslandUpdate extends Omit<IslandChanges, 'carrier' | 'neighbours'> {
  readonly carrierKey?: number | null | undefined
  readonly neighbourKeys?: readonly number[] | undefined
  readonly rulesChangedMs?: number
  readonly pause?: IslandPause
}

/** An island of which something was to become another. */
export interface ChangedIsland {
  readonly key: number
  /** False where it was so already. */
  readonly isChanged: boolean
}

/** Why a slug was not taken: another has it or one like it, or the user has taken too many. */
export type SlugRefusal = 'missing' | 'taken' | 'limit_reached'

/**
 * Islands, their slugs and their routes. Whatever names a user touches that user's own islands only.
 * Islands are deleted with their host.
 */
export interface IslandsStore {
  /**
   * A draft. Undefined where its host has `limit` already; holds under simultaneous calls.
   * @throws TotalReached when the server has as many as it may
   */
  readonly insert: (island: NewIslandRecord, limit: number) => Promise<number | undefined>
  /** The newest first. */
  readonly listOwn: (userKey: number, since: OwnSince) => Promise<readonly OwnIslandRecord[]>
  readonly findOwn: (
    userKey: number,
    id: string,
    since: OwnSince,
  ) => Promise<OwnIslandRecord | undefined>
  readonly listOwnKeys: (userKey: number) => Promise<readonly number[]>
  /** Those of which the user is a member, the last joined first, whoever may know of them. */
  readonly listJoined: (userKey: number, limit: number) => Promise<readonly FoundIsland[]>
  /** Those of which the user is the host, as their host. */
  readonly listHosted: (userKey: number) => Promise<readonly FoundIsland[]>
  /** By its slug, or one that it had until after `oldSinceMs`. */
  readonly findBySlug: (
    viewerKey: number | null,
    slug: string,
    oldSinceMs: number,
  ) => Promise<FoundIsland | undefined>
  readonly findById: (viewerKey: number | null, id: string) => Promise<FoundIsland | undefined>
  /** By their slugs, in no order. */
  readonly findManyBySlug: (
    viewerKey: number | null,
    slugs: readonly string[],
  ) => Promise<readonly FoundIsland[]>
  /** The same by their ids. */
  readonly findManyById: (
    viewerKey: number,
    ids: readonly string[],
  ) => Promise<readonly FoundIsland[]>
  /** The same by their keys. */
  readonly findManyByKey: (
    viewerKey: number | null,
    keys: readonly number[],
  ) => Promise<readonly FoundIsland[]>
  /** Those of these keys that are there, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandRecord[]>
  /** Whatever of them the viewer may know, in the order of their places. */
  readonly listNeighbours: (
    viewerKey: number | null,
    islandKey: number,
  ) => Promise<readonly FoundIsland[]>
  /** @returns its key; undefined where there is none, @throws ReferenceViolation */
  readonly update: (
    userKey: number,
    id: string,
    changes: IslandUpdate,
  ) => Promise<number | undefined>
  /** Sets its door and, where everybody may know of it, takes `slug` as its plain one. */
  readonly publish: (
    userKey: number,
    id: string,
    to: {
      readonly door: Door
      readonly isListed: boolean
      readonly slug: string | undefined
      readonly atMs: number
    },
  ) => Promise<ChangedIsland | SlugRefusal>
  /** Takes `slug`, or `secret` where not everybody may know of it. The old one goes on leading to it. */
  readonly rename: (
    userKey: number,
    id: string,
    to: { readonly slug: string; readonly secret: string; readonly atMs: number },
  ) => Promise<ChangedIsland | SlugRefusal>
  /** Whether an island of the user could take this plain slug. */
  readonly checkSlug: (
    userKey: number,
    slug: string,
  ) => Promise<'free' | Exclude<SlugRefusal, 'missing'>>
  /** @returns what was deleted, and who its host, members and askers were */
  readonly delete: (
    userKey: number,
    id: string,
  ) => Promise<{ readonly key: number; readonly userKeys: readonly number[] } | undefined>
  /** Once and never again, whatever becomes of it: an island of the installation. */
  readonly insertOfInstallation: (island: OfInstallation) => Promise<void>
  /**
   * Notes once that a proxy may get a certificate for a slug that an island has now. A host gets `max` of
   * them after `sinceMs`; holds under simultaneous calls. @returns whether it may
   */
  readonly claimCertificate: (
    slug: string,
    limit: { readonly atMs: number; readonly sinceMs: number; readonly max: number },
  ) => Promise<boolean>
  /** Deletes old slugs that were not plain; plain ones stay taken. @returns how many */
  readonly deleteOldSlugs: (untilMs: number) => Promise<number>
  readonly countByState: () => Promise<Readonly<Record<IslandState, number>>>
  readonly figures: () => Promise<readonly Figure[]>
}

export type OfInstallation = Omit<
  NewIslandRecord,
  'userKey' | 'carrierKey' | 'isRelayed' | 'rules'
> &
  Pick<IslandRecord, 'door' | 'isListed'>

/** Each island is in one of them: who is hidden, or whose host is turned off, is in no other. */
export type IslandState = 'draft' | 'unlisted' | 'listed' | 'hidden'
