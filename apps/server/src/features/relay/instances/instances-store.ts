import * as v from 'valibot'

/** An agent's connection, as all servers know it. Of two connections of one agent, the newer one counts. */
export const LeaseChange = v.object({
  writer: v.number(),
  deviceKey: v.number(),
  agentId: v.string(),
  /** The only island that the agent carries; null if it carries all islands of its device. */
  islandKey: v.nullable(v.number()),
  sinceMs: v.number(),
  isHeld: v.boolean(),
})
export type LeaseChange = Readonly<v.InferOutput<typeof LeaseChange>>
export type Lease = Omit<LeaseChange, 'isHeld'>
export type OwnLease = Omit<Lease, 'writer'>

export interface Instance {
  readonly writer: number
  /** Where other servers reach it; null if its operator set no address. */
  readonly url: string | null
  readonly hopKey: Uint8Array
}

export interface InstancesStore {
  readonly writer: number
  readonly join: (own: Pick<Instance, 'url' | 'hopKey'>) => Promise<void>
  readonly leave: () => Promise<void>
  readonly read: () => Promise<{
    readonly instances: readonly Instance[]
    readonly leases: readonly Lease[]
  }>
  /** Records in one transaction which agents have come and gone. Idempotent. */
  readonly write: (
    held: readonly OwnLease[],
    ended: readonly Pick<OwnLease, 'deviceKey' | 'agentId'>[],
  ) => Promise<void>
}
