import type { WatchedSession } from '../../../http/watch-session.ts'
import type { Transfer, Transfers } from '../visitors/transfers.ts'
import type { Grant } from './grants.ts'

interface GrantConnectionsOptions {
  readonly transfers: Pick<Transfers, 'begin'>
  readonly watchSession: (session: Pick<Grant, 'sessionHash' | 'userKey'>) => WatchedSession
  readonly mayAnybodyEnter: (islandKey: number) => boolean
  readonly whoMayEnter: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number) => boolean>
}

interface Connection {
  readonly grant: Grant | null
  readonly cut: () => void
}

/** The transfers of visitors. Ends them when their visitors lose the right to enter. */
export class GrantConnections {
  readonly #options: GrantConnectionsOptions
  readonly #byIsland = new Map<number, Set<Connection>>()

  constructor(options: GrantConnectionsOptions) {
    this.#options = options
  }

  /** Returns a `begin` for one visitor's transfers. */
  of(grant: Grant | null): Transfers['begin'] {
    return (options) => {
      const transfer = this.#options.transfers.begin(options)
      if (transfer === undefined) return undefined
      const { islandKey, cut } = options
      return this.#watch(islandKey, { grant, cut: () => cut('shut') }, transfer)
    }
  }

  /** If storage can’t answer, visitors with a grant have to leave too. */
  async check(islandKey: number): Promise<void> {
    const { mayAnybodyEnter, whoMayEnter } = this.#options
    const granted: { readonly cut: () => void; readonly userKey: number }[] = []
    for (const { grant, cut } of [...(this.#byIsland.get(islandKey) ?? [])]) {
      if (grant !== null) granted.push({ cut, userKey: grant.userKey })
      else if (!mayAnybodyEnter(islandKey)) cut()
    }
    if (granted.length === 0) return
    const userKeys = [...new Set(granted.map(({ userKey }) => userKey))]
    const mayEnter = await whoMayEnter(islandKey, userKeys).catch(() => () => false)
    for (const { cut, userKey } of granted) if (!mayEnter(userKey)) cut()
  }

  #watch(islandKey: number, connection: Connection, transfer: Transfer): Transfer {
    const { grant, cut } = connection
    const connections = this.#byIsland.get(islandKey) ?? new Set()
    this.#byIsland.set(islandKey, connections.add(connection))
    const session = grant === null ? undefined : this.#options.watchSession(grant)
    session?.signal.addEventListener('abort', cut)
    return {
      mayRest: transfer.mayRest,
      end: () => {
        transfer.end()
        if (!connections.delete(connection)) return
        session?.stop()
        if (connections.size === 0) this.#byIsland.delete(islandKey)
      },
    }
  }
}
