/** An agent's connection, as all servers know of it. */
export interface Lease {
  /** Of the server that holds it. */
  readonly writer: number
  readonly deviceKey: number
  readonly agentId: string
  /** The one island that it carries; null where it carries all of its device. */
  readonly islandKey: number | null
  /** Of two connections of one agent the newer one counts. */
  readonly sinceMs: number
}

/** A server to which visitors may be handed on. */
export interface Instance {
  readonly writer: number
  /** Where it is reached; null where its operator names no address. */
  readonly url: string | null
  /** By which what is asked of it is signed. */
  readonly hopKey: Uint8Array
}

export type OwnLease = Omit<Lease, 'writer'>

/** What servers that share a database tell one another of agents. */
export interface InstancesStore {
  /** This server's number among them. */
  readonly writer: number
  /** Makes this server one of them. */
  readonly join: (own: Pick<Instance, 'url' | 'hopKey'>) => Promise<void>
  /** Takes it and all its leases away. */
  readonly leave: () => Promise<void>
  readonly read: () => Promise<{
    readonly instances: readonly Instance[]
    readonly leases: readonly Lease[]
  }>
  /** Notes in one transaction which agents have come and gone; once more changes nothing. */
  readonly write: (
    held: readonly OwnLease[],
    ended: readonly Pick<OwnLease, 'deviceKey' | 'agentId'>[],
  ) => Promise<void>
}
