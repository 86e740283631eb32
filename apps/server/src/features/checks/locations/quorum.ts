import type { CheckStatus } from '@astropelago/contract/checks'

/** Fewer can only agree or be split, so that the server decides alone. */
const votersMin = 3
/** A location counts as unable to reach an address after this many failures in a row. */
export const failuresToCount = 2
/** A location that disagrees with all others for this long loses its vote. */
export const doubtMaxMs = 3 * 86_400_000

/** In place of a location's key. */
export const serverKey = 0

/** What a location has said of one check. */
export interface LocationState {
  readonly locationKey: number
  readonly userKey: number
  /** In a row. */
  readonly failures: number
  readonly hasSucceeded: boolean
  readonly atMs: number
}

export interface Vote {
  /** 0 for the server. */
  readonly locationKey: number
  readonly isUp: boolean
}

export interface Decision {
  readonly status: CheckStatus
  /** Who voted, the server first. */
  readonly votes: readonly Vote[]
  /** Locations that can't reach what others reach; 0 for the server. Empty if all agree. */
  readonly unreachableFrom: readonly number[]
  /** The location that disagrees with all others, at least two. */
  readonly loner: number | undefined
}

export function applyResult(
  before: LocationState | undefined,
  {
    isUp,
    ...of
  }: Pick<LocationState, 'locationKey' | 'userKey' | 'atMs'> & { readonly isUp: boolean },
): LocationState {
  return {
    ...of,
    failures: isUp ? 0 : (before?.failures ?? 0) + 1,
    hasSucceeded: isUp || (before?.hasSucceeded ?? false),
  }
}

/**
 * One vote for each user who lends: the newest of all their agents. The owner of the check has none, and a new
 * location none after its first failure.
 */
export function votesOf(states: Iterable<LocationState>, ownerKey: number): readonly Vote[] {
  const newest = new Map<number, LocationState>()
  for (const state of states) {
    const isCounted = state.failures >= failuresToCount || state.hasSucceeded
    if (!isCounted || state.userKey === ownerKey) continue
    const other = newest.get(state.userKey)
    if (other === undefined || other.atMs < state.atMs) newest.set(state.userKey, state)
  }
  return [...newest.values()].map(({ locationKey, failures }) => ({
    locationKey,
    isUp: failures < failuresToCount,
  }))
}

/**
 * More than half of the voters decide, and the server if they are split. So with at least three voters, fewer than
 * half can neither make nor hide an outage, and one location alone never does. Nothing is decided while the server
 * can't see.
 */
export function decide(server: CheckStatus, locations: readonly Vote[]): Decision {
  if (server === 'unobserved') {
    return { status: server, votes: [], unreachableFrom: [], loner: undefined }
  }
  const votes = [{ locationKey: serverKey, isUp: server === 'up' }, ...locations]
  const ups = votes.filter(({ isUp }) => isUp)
  const downs = votes.filter(({ isUp }) => !isUp)
  const status = ups.length > downs.length ? 'up' : ups.length < downs.length ? 'down' : server
  const few = [ups, downs].find(({ length }) => length === 1)
  return {
    status,
    votes,
    unreachableFrom: ups.length === 0 ? [] : downs.map(({ locationKey }) => locationKey),
    loner:
      votes.length >= votersMin && few?.[0]?.locationKey !== serverKey
        ? few?.[0]?.locationKey
        : undefined,
  }
}

/**
 * Since when each location has disagreed with all others.
 * @returns the same map if nothing changes
 */
export function applyDoubts(
  before: ReadonlyMap<number, number>,
  { votes, loner }: Decision,
  atMs: number,
): ReadonlyMap<number, number> {
  const agreeing = votes.filter(({ locationKey }) => locationKey !== loner)
  const isSettled = votes.length >= votersMin
  const cleared = isSettled ? agreeing.filter(({ locationKey }) => before.has(locationKey)) : []
  const isNew = loner !== undefined && !before.has(loner)
  if (cleared.length === 0 && !isNew) return before
  const after = new Map(before)
  for (const { locationKey } of cleared) after.delete(locationKey)
  if (isNew) after.set(loner, atMs)
  return after
}

export const hasLostVote = (sinceMs: number | undefined, nowMs: number): boolean =>
  sinceMs !== undefined && nowMs - sinceMs >= doubtMaxMs
