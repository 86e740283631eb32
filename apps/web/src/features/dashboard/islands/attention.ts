import type { OwnIsland } from '@astropelago/contract/islands'

/** Something that waits for an island's host, or that the host has to know first. */
export type Attention =
  | { readonly kind: 'hidden'; readonly island: OwnIsland; readonly reason: string }
  | { readonly kind: 'requests'; readonly island: OwnIsland }
  | { readonly kind: 'closed'; readonly island: OwnIsland }

const order: readonly Attention['kind'][] = ['hidden', 'requests', 'closed']

/** What needs attention on the user's islands, most serious first. */
export function attentionOf(islands: readonly OwnIsland[]): readonly Attention[] {
  return islands
    .flatMap(concerns)
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

function concerns(island: OwnIsland): readonly Attention[] {
  const { hidden, requestCount, publishedAt, isWatched, isOpen, pause } = island
  const isKnown = publishedAt !== null && hidden === null
  // A closed island matters only if others can see it and its host has not paused it.
  const isMissed = isKnown && isWatched && !isOpen && pause === null
  return [
    ...(hidden === null ? [] : [{ kind: 'hidden', island, reason: hidden.reason } as const]),
    ...(requestCount > 0 ? [{ kind: 'requests', island } as const] : []),
    ...(isMissed ? [{ kind: 'closed', island } as const] : []),
  ]
}
