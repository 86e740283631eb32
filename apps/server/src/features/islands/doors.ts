import type { Door, IslandRole } from '@astropelago/contract/islands'

/** What of an island says who may know of it and enter. */
export interface DoorFacts {
  /** Null where it belongs to the installation. */
  readonly hostKey: number | null
  readonly hostDisabledMs: number | null
  readonly door: Door
  readonly isListed: boolean
  /** Null while it is a draft. */
  readonly publishedMs: number | null
  readonly hiddenMs: number | null
}

/** Since when these may know of an island; null where they may not, or that is not on record yet. */
export interface KnownSince {
  readonly membersMs: number | null
  readonly usersMs: number | null
  readonly everybodyMs: number | null
}

/** The same, and from when on its past is for whom. */
export interface KnownFacts extends DoorFacts {
  readonly knownSince: KnownSince
}

/** What somebody is to an island; a visitor who is not signed in has no key and is nothing else. */
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

/** Whether others than its host may know of it at all: no draft, not hidden, its host not turned off. */
export function isShown({ publishedMs, hiddenMs, hostDisabledMs }: DoorFacts): boolean {
  return publishedMs !== null && hiddenMs === null && hostDisabledMs === null
}

/** Whether it is one of the public ones: in the directory, on the chart, in search, in the sitemap. */
export function isInDirectory(island: DoorFacts): boolean {
  return isShown(island) && island.isListed
}

/** Whether everybody may know of it, be it by its link alone. */
export function mayEverybodyKnow(island: DoorFacts): boolean {
  return isShown(island) && isOpenlyKnown(island)
}

/** What makes an island take a plain slug: to ask for one tells of nothing that is not for everybody. */
export function isOpenlyKnown({ door, isListed }: Pick<DoorFacts, 'door' | 'isListed'>): boolean {
  return door === 'public' || isListed
}

export function isHost({ hostKey }: DoorFacts, { userKey }: Viewer): boolean {
  return userKey !== null && userKey === hostKey
}

/** Signed in and not blocked: whom a host blocked is to the island what a stranger is. */
function isGuest({ userKey, isBlocked }: Viewer): boolean {
  return userKey !== null && !isBlocked
}

function isMemberNow(viewer: Viewer): boolean {
  return isGuest(viewer) && viewer.isMember
}

/** Who may not gets the answer of an island that is not there. */
export function mayKnow(island: DoorFacts, viewer: Viewer): boolean {
  if (isHost(island, viewer)) return true
  if (!isShown(island)) return false
  if (isOpenlyKnown(island)) return true
  return island.door === 'members' ? isGuest(viewer) : isMemberNow(viewer)
}

/** [HI4] From when on the past of an island is for somebody who may know of it; null for not at all. */
export function toldFrom(island: KnownFacts, viewer: Viewer): number | null {
  if (isHost(island, viewer)) return 0
  const { everybodyMs, usersMs, membersMs } = island.knownSince
  // A stranger to the island, signed in or not, is told what everybody is.
  const times = [
    everybodyMs,
    isGuest(viewer) ? usersMs : null,
    isMemberNow(viewer) ? membersMs : null,
  ].filter((ms) => ms !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Go in, and read the log. */
export function mayEnter(island: DoorFacts, viewer: Viewer): boolean {
  if (isHost(island, viewer)) return true
  if (!isShown(island)) return false
  if (island.door === 'public') return true
  return island.door === 'members' ? isGuest(viewer) : isMemberNow(viewer)
}

/** Who the members are, and who joined; how many they are is for whoever may know of the island. */
export function mayKnowMembers(island: DoorFacts, viewer: Viewer): boolean {
  return isHost(island, viewer) || (isShown(island) && isMemberNow(viewer))
}

/** Become a member, or where the door is `invited` ask to. */
export function mayJoin(island: DoorFacts, viewer: Viewer): boolean {
  return mayKnow(island, viewer) && roleOf(island, viewer) === 'guest'
}

/** Leave a note in the log: its host sends signals. */
export function mayNote(island: DoorFacts, viewer: Viewer): boolean {
  return isGuest(viewer) && !isHost(island, viewer) && mayEnter(island, viewer)
}

export function roleOf(island: DoorFacts, viewer: Viewer): IslandRole {
  if (isHost(island, viewer)) return 'host'
  if (!isGuest(viewer)) return 'visitor'
  if (viewer.isMember) return 'member'
  return viewer.hasAsked ? 'asked' : 'guest'
}
