import type { ClusterStore } from './cluster-store.ts'

/** The lease is renewed every second. Without a renewal another server leads after this time. */
const leaseMs = 2500
const marginMs = 250

export type Leadership = ReturnType<typeof createLeadership>

/** The lease that makes one server at a time the leader, by the database's clock. */
export function createLeadership(store: Pick<ClusterStore, 'renew' | 'resign'>) {
  let last: number | undefined
  let untilMs = 0
  const term = () => (performance.now() < untilMs ? last : undefined)
  return {
    /** Undefined while this server does not lead, as far as it knows. Its writes have to check the term. */
    term,
    /** @returns when it begins to lead, how far the previous leader had come, which may have been this server */
    renew: async () => {
      const startMs = performance.now()
      const { isRegistered, lease } = await store.renew(leaseMs)
      const goesOn = term() !== undefined && lease?.term === last
      last = lease?.term
      untilMs = lease === undefined ? 0 : startMs + leaseMs - marginMs
      const begins = goesOn ? undefined : lease?.cursors
      return { isRegistered, isHeld: lease !== undefined, begins }
    },
    resign: async (): Promise<void> => {
      const held = term()
      untilMs = 0
      if (held !== undefined) await store.resign(held)
    },
  }
}
