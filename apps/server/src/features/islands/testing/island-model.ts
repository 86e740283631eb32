import type { Door } from '@astropelago/contract/islands'

/** In the place of a host's number: the island belongs to the installation. */
export const nobody = -1

/** A user by number; null is who is not signed in. */
export type ModelViewer = number | null

/** What is true of an island. */
export interface ModelIsland {
  readonly id: string
  /** As its host reads it. */
  slug: string
  /** That it ever had, which everybody may know. */
  readonly plainSlugs: Set<string>
  host: number
  /** Who made it, and wrote the signal of `entryId`. */
  readonly author: number
  /** Whose signals say its inner mark: their own words, whoever hosts it later. */
  readonly writers: Set<number>
  /** In its slug, name and about: who finds it knows of the island. */
  readonly mark: string
  /** In its signals: who finds it may enter. */
  readonly innerMark: string
  /** In its address: who finds it may enter now. */
  readonly addressMark: string
  /** Of the first signal. */
  readonly entryId: string
  /** One of its invitations. */
  invitation: { readonly id: string; readonly code: string }
  isRevoked: boolean
  /** One that is handed over leaves its carrier behind. */
  hasCarrier: boolean
  door: Door
  isListed: boolean
  isPublished: boolean
  isHidden: boolean
  isPaused: boolean
  isClosed: boolean
  readonly members: Set<number>
  readonly askers: Set<number>
  readonly blocked: Set<number>
  /** Whose report of it is open. */
  readonly reporters: Set<number>
}

/** Who may know of islands and enter them, said a second time and without a word of `doors.ts`. */
export class IslandModel {
  readonly islands: ModelIsland[] = []
  readonly turnedOff = new Set<number>()
  /** Who was turned off or on is signed out, and signs in no more. */
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
    if (island.door === 'public') return true
    if (viewer === null || island.blocked.has(viewer)) return false
    return island.door === 'members' || island.members.has(viewer)
  }

  /** Who may go where its address leads. */
  goesIn(viewer: ModelViewer, island: ModelIsland): boolean {
    return this.isHost(viewer, island) || (this.enters(viewer, island) && !island.isPaused)
  }

  isHost(viewer: ModelViewer, { host, isClosed }: ModelIsland): boolean {
    return viewer === host && !isClosed
  }

  /** Whose own stream tells of it. */
  isOwn(viewer: ModelViewer, island: ModelIsland): boolean {
    return (
      this.isHost(viewer, island) || (this.hasJoined(viewer, island) && this.knows(viewer, island))
    )
  }

  hasJoined(viewer: ModelViewer, { members }: ModelIsland): boolean {
    return viewer !== null && members.has(viewer)
  }

  /** Who the members are. */
  knowsMembers(viewer: ModelViewer, island: ModelIsland): boolean {
    if (this.isHost(viewer, island)) return true
    return this.isShown(island) && this.hasJoined(viewer, island)
  }

  /** Whom an invitation leads there. */
  isInvited(viewer: ModelViewer, island: ModelIsland): boolean {
    if (island.isRevoked) return false
    if (this.isHost(viewer, island)) return true
    return this.isShown(island) && (viewer === null || !island.blocked.has(viewer))
  }
}
