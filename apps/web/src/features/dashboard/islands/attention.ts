import type { OwnIsland } from '@astropelago/contract/islands'

/** Something that waits for its host, or that the host should know before all else. */
export type Attention =
  | { readonly kind: 'hidden'; readonly island: OwnIsland; readonly reason: string }
  | { readonly kind: 'requests'; readonly island: OwnIsland }
  | { readonly kind: 'closed'; readonly island: OwnIsland }

const order: readonly Attention['kind'][] = ['hidden', 'requests', 'closed']

/** What needs attention on the user's islands, the gravest first. */
export function attentionOf(islands: readonly OwnIsland[]): readonly Attention[] {
  return islands
    .flatMap(concerns)
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

function concerns(island: OwnIsland): readonly Attention[] {
  const { hidden, requestCount, publishedAt, isWatched, isOpen } = island
  // Nobody misses what nobody knows of.
  const isMissed = publishedAt !== null && hidden === null && isWatched && !isOpen
  return [
    ...(hidden === null ? [] : [{ kind: 'hidden', island, reason: hidden.reason } as const]),
    ...(requestCount > 0 ? [{ kind: 'requests', island } as const] : []),
    ...(isMissed ? [{ kind: 'closed', island } as const] : []),
  ]
}
