import type { Cluster } from '../../cluster/cluster.ts'

export type SharedPresence = Pick<Cluster, 'leads' | 'silences'> & { readonly writer: number }

export interface Taken {
  readonly writer: number | undefined
  readonly atMs: number
}

/** What this server knows from the others, whether or not it leads them. */
export interface FromOthers {
  readonly server: SharedPresence
  /** Devices that report to another server and that the leader has yet to record as online. */
  readonly unrecorded: Map<number, Taken>
  /** Up to this time another server judged devices offline, taking earlier heartbeats into account. */
  judgedMs: number
}

/** The only server judges devices itself. */
interface Alone {
  readonly kind: 'alone'
  readonly others?: undefined
  sweptMs: number | null
}

/** One of several servers judges devices and records their flips. */
interface Leading {
  readonly kind: 'leading'
  readonly others: FromOthers
  sweptMs: number | null
}

/** All others wait for its judgement. */
export interface Following {
  readonly kind: 'following'
  readonly others: FromOthers
}

export type PresenceState = Alone | Leading | Following

export function firstState(shared: SharedPresence | undefined): PresenceState {
  return shared === undefined
    ? { kind: 'alone', sweptMs: null }
    : { kind: 'following', others: { server: shared, unrecorded: new Map(), judgedMs: 0 } }
}

/** Nobody announces the end of a leader's lease, so every use of the state asks who leads. */
export function currentState(last: PresenceState): PresenceState {
  if (last.kind === 'alone') return last
  const { kind, others } = last
  const leads = others.server.leads()
  if (leads === (kind === 'leading')) return last
  return leads ? { kind: 'leading', others, sweptMs: null } : { kind: 'following', others }
}
