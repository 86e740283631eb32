import { safeLink } from '@astropelago/contract/devices'
import type { IslandView } from '@astropelago/contract/islands'
import type { Session } from '../../lib/session.ts'

/** What a viewer finds at an island's door. */
export type Entrance =
  | { readonly kind: 'open'; readonly href: string; readonly isWatched: boolean }
  | { readonly kind: 'closed'; readonly href: string; readonly since: string | null }
  /** With a way in for whom its host does not keep out. */
  | { readonly kind: 'paused'; readonly href: string | undefined }
  /** It may be entered, but has no link. */
  | { readonly kind: 'nowhere' }
  /** Who is signed out may have a right to it. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'may-ask' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'barred' }

type Door = Pick<IslandView, 'role' | 'mayEnter' | 'mayJoin' | 'address' | 'since'> &
  Pick<IslandView, 'isOpen' | 'isWatched' | 'pause'>

export function entranceOf(island: Door, session: Session['state']): Entrance {
  if (island.mayEnter) return openOrClosed(island)
  if (island.role === 'asked') return { kind: 'asked' }
  if (island.mayJoin && session === 'signed-in') return { kind: 'may-ask' }
  return { kind: session === 'signed-in' ? 'barred' : 'signed-out' }
}

function openOrClosed({ address, isOpen, isWatched, since, pause }: Door): Entrance {
  // Judged again: it is what a stranger typed.
  const href = address === null ? undefined : safeLink(address)
  if (pause !== null) return { kind: 'paused', href }
  if (href === undefined) return { kind: 'nowhere' }
  return isOpen ? { kind: 'open', href, isWatched } : { kind: 'closed', href, since }
}
