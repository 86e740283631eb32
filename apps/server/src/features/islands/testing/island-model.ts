import type { AccessPolicy } from '@astropelago/contract/islands'

/** The host's number of islands that belong to the installation. */
export const nobody = -1

/** A user's number; null if not signed in. */
export type ModelViewer = number | null

/** The expected state of an island. */
export interface ModelIsland {
  readonly id: string
  /** The current slug, as its host sees it. */
  slug: string
  /** All plain slugs that it ever had. Everybody may know them. */
  readonly plainSlugs: Set<string>
  host: number
  /** The user who made it and wrote the signal of `entryId`. */
  readonly author: number
  /**
   * The users whose signals contain the inner mark. Signals keep their author when the island gets a new
   * host.
   */
  readonly writers: Set<number>
  /** In its slug, name and about text. Only viewers who may see the island may read it. */
  readonly mark: string
  /** In its signals. Only viewers who may enter may read it. */
  readonly innerMark: string
  /** In its address. Only viewers who may enter now may read it. */
  readonly addressMark: string
  /** The id of its first signal. */
  readonly entryId: string
  /** One of its invitations. */
  invitation: { readonly id: string; readonly code: string }
  isRevoked: boolean
  /** False after it was handed over. */
  hasCarrier: boolean
  access: AccessPolicy
  isListed: boolean
  isPublished: boolean
  isHidden: boolean
  isPaused: boolean
  isClosed: boolean
  readonly members: Set<number>
  readonly askers: Set<number>
  readonly blocked: Set<number>
  /** The users whose report of it is open. */
  readonly reporters: Set<number>
}

/** Who may see and enter islands, written a second time and independently of `access-policy.ts`. */
export class IslandModel {
  readonly islands: ModelIsland[] = []
  readonly turnedOff = new Set<number>()
  /** Disabling or enabling users signs them out. They do not sign in again. */
  readonly signedOut = new Set<number>()
  readonly deleted = new Set<number>()

  isShown(island: ModelIsland): boolean {
    const isTakenAway = island.isClosed || island.isHidden || this.turnedOff.has(island.host)
    return island.isPublished && !isTakenAway
  }

  knows(viewer: ModelViewer, island: ModelIsland): boolean {
    if (this.isHost(viewer, island)) return true
    return (this.isShown(island) && island.isListed) || this.enters(viewer, island)
  }

  enters(viewer: ModelViewer, island: ModelIsland): boolean {
    if (this.isHost(viewer, island)) return true
    if (!this.isShown(island)) return false
    if (island.access === 'public') return true
    if (viewer === null || island.blocked.has(viewer)) return false
    return island.access === 'members' || island.members.has(viewer)
  }

  /** Who may go to its address. */
  goesIn(viewer: ModelViewer, island: ModelIsland): boolean {
    return this.isHost(viewer, island) || (this.enters(viewer, island) && !island.isPaused)
  }

  isHost(viewer: ModelViewer, { host, isClosed }: ModelIsland): boolean {
    return viewer === host && !isClosed
  }

  /** Whose own stream reports it. */
  isOwn(viewer: ModelViewer, island: ModelIsland): boolean {
    return (
      this.isHost(viewer, island) || (this.hasJoined(viewer, island) && this.knows(viewer, island))
    )
  }

  hasJoined(viewer: ModelViewer, { members }: ModelIsland): boolean {
    return viewer !== null && members.has(viewer)
  }

  /** Who may see its members. */
  knowsMembers(viewer: ModelViewer, island: ModelIsland): boolean {
    if (this.isHost(viewer, island)) return true
    return this.isShown(island) && this.hasJoined(viewer, island)
  }

  /** Who may use its invitation. */
  isInvited(viewer: ModelViewer, island: ModelIsland): boolean {
    if (island.isRevoked) return false
    if (this.isHost(viewer, island)) return true
    return this.isShown(island) && (viewer === null || !island.blocked.has(viewer))
  }
}
