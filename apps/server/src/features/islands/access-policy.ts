import type { AccessPolicy, IslandRole } from '@astropelago/contract/islands'

/** What decides who may see and enter an island. */
export interface AccessFacts {
  /** Null if it belongs to the installation. */
  readonly hostKey: number | null
  readonly hostDisabledMs: number | null
  readonly access: AccessPolicy
  readonly isListed: boolean
  /** Null for a draft. */
  readonly publishedMs: number | null
  readonly hiddenMs: number | null
}

/** When these may first have seen the island; null if they may not, or if that is not on record yet. */
export interface VisibleSince {
  readonly membersMs: number | null
  readonly usersMs: number | null
  readonly everybodyMs: number | null
}

/** Also says from when each of them may see the island's history. */
export interface VisibilityFacts extends AccessFacts {
  readonly knownSince: VisibleSince
}

/** What a user is to an island. A visitor who is not signed in has no key. */
export interface Viewer {
  readonly userKey: number | null
  readonly isMember: boolean
  readonly isBlocked: boolean
  readonly hasAsked: boolean
}

export const signedOutViewer: Viewer = {
  userKey: null,
  isMember: false,
  isBlocked: false,
  hasAsked: false,
}

/**
 * Whether anybody but its host may see it: it is published and not hidden, and its host is not disabled.
 */
export function isShown({ publishedMs, hiddenMs, hostDisabledMs }: AccessFacts): boolean {
  return publishedMs !== null && hiddenMs === null && hostDisabledMs === null
}

/** Whether it is public: in the directory, on the chart, in search, in the sitemap. */
export function isInDirectory(island: AccessFacts): boolean {
  return isShown(island) && island.isListed
}

/** Whether everybody may see it, if only by its link. */
export function mayEverybodyKnow(island: AccessFacts): boolean {
  return isShown(island) && isPubliclyVisible(island)
}

/** Only such islands get a plain slug, so asking whether a slug is taken reveals nothing secret. */
export function isPubliclyVisible({
  access,
  isListed,
}: Pick<AccessFacts, 'access' | 'isListed'>): boolean {
  return access === 'public' || isListed
}

export function isHost({ hostKey }: AccessFacts, { userKey }: Viewer): boolean {
  return userKey !== null && userKey === hostKey
}

/** Signed in and not blocked. Blocked users are treated as strangers. */
function isGuest({ userKey, isBlocked }: Viewer): boolean {
  return userKey !== null && !isBlocked
}

function isMemberNow(viewer: Viewer): boolean {
  return isGuest(viewer) && viewer.isMember
}

/** Anybody who may not gets the answer for an island that does not exist. */
export function mayKnow(island: AccessFacts, viewer: Viewer): boolean {
  if (isHost(island, viewer)) return true
  if (!isShown(island)) return false
  if (isPubliclyVisible(island)) return true
  return island.access === 'members' ? isGuest(viewer) : isMemberNow(viewer)
}

/** [HI4] The time from which a viewer who may see the island may see its history; null if never. */
export function visibleFrom(island: VisibilityFacts, viewer: Viewer): number | null {
  if (isHost(island, viewer)) return 0
  const { everybodyMs, usersMs, membersMs } = island.knownSince
  // Strangers, signed in or not, see what everybody sees.
  const times = [
    everybodyMs,
    isGuest(viewer) ? usersMs : null,
    isMemberNow(viewer) ? membersMs : null,
  ].filter((ms) => ms !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** May go in and read the log. */
export function mayEnter(island: AccessFacts, viewer: Viewer): boolean {
  if (isHost(island, viewer)) return true
  if (!isShown(island)) return false
  if (island.access === 'public') return true
  return island.access === 'members' ? isGuest(viewer) : isMemberNow(viewer)
}

/** May see who the members are and who joined. Their number is for everybody who may see the island. */
export function mayKnowMembers(island: AccessFacts, viewer: Viewer): boolean {
  return isHost(island, viewer) || (isShown(island) && isMemberNow(viewer))
}

/** May become a member or, if the access policy is `invited`, ask to. */
export function mayJoin(island: AccessFacts, viewer: Viewer): boolean {
  return mayKnow(island, viewer) && roleOf(island, viewer) === 'guest'
}

/** May leave a note in the log. The host sends signals instead. */
export function mayNote(island: AccessFacts, viewer: Viewer): boolean {
  return isGuest(viewer) && !isHost(island, viewer) && mayEnter(island, viewer)
}

export function roleOf(island: AccessFacts, viewer: Viewer): IslandRole {
  if (isHost(island, viewer)) return 'host'
  if (!isGuest(viewer)) return 'visitor'
  if (viewer.isMember) return 'member'
  return viewer.hasAsked ? 'asked' : 'guest'
}
