/** An agent's connection, as all servers know it. */
export interface Lease {
  /** The server that holds it. */
  readonly writer: number
  readonly deviceKey: number
  readonly agentId: string
  /** The only island that the agent carries; null if it carries all islands of its device. */
  readonly islandKey: number | null
  /** Of two connections of one agent, the newer one counts. */
  readonly sinceMs: number
}

export type OwnLease = Omit<Lease, 'writer'>

/** A server to which visitors' requests may be handed on. */
export interface Instance {
  readonly writer: number
  /** Where other servers reach it; null if its operator set no address. */
  readonly url: string | null
  /** Signs requests to it. */
  readonly hopKey: Uint8Array
}

/** What servers on one database record about their agents. */
export interface InstancesStore {
  /** This server's number. */
  readonly writer: number
  readonly join: (own: Pick<Instance, 'url' | 'hopKey'>) => Promise<void>
  /** Removes this server and all its leases. */
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
