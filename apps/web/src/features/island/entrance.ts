import { safeLink } from '@astropelago/contract/devices'
import type { IslandView } from '@astropelago/contract/islands'
import type { Session } from '../../lib/session.ts'

export type Entrance =
  | { readonly kind: 'open'; readonly href: string; readonly isWatched: boolean }
  | { readonly kind: 'closed'; readonly href: string; readonly since: string | null }
  /** Has a link for viewers who may enter all the same, such as the host. */
  | { readonly kind: 'paused'; readonly href: string | undefined }
  /** The viewer may enter, but the island has no link. */
  | { readonly kind: 'nowhere' }
  /** Signing in may give the viewer access. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'may-ask' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'barred' }

type AccessPolicy = Pick<IslandView, 'role' | 'mayEnter' | 'mayJoin' | 'address' | 'since'> &
  Pick<IslandView, 'isOpen' | 'isWatched' | 'pause'>

export function entranceOf(island: AccessPolicy, session: Session['state']): Entrance {
  if (island.mayEnter) return openOrClosed(island)
  if (island.role === 'asked') return { kind: 'asked' }
  if (island.mayJoin && session === 'signed-in') return { kind: 'may-ask' }
  return { kind: session === 'signed-in' ? 'barred' : 'signed-out' }
}

function openOrClosed({ address, isOpen, isWatched, since, pause }: AccessPolicy): Entrance {
  // Checked again here, because another user typed it.
  const href = address === null ? undefined : safeLink(address)
  if (pause !== null) return { kind: 'paused', href }
  if (href === undefined) return { kind: 'nowhere' }
  return isOpen ? { kind: 'open', href, isWatched } : { kind: 'closed', href, since }
}
