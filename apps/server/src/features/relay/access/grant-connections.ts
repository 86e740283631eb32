import type { WatchedSession } from '../../../http/watch-session.ts'
import type { Transfer, Transfers } from '../visitors/transfers.ts'
import type { Grant } from './grants.ts'

type Begin = Transfers['begin']

interface PassagesOptions {
  readonly transfers: Pick<Transfers, 'begin'>
  readonly watchSession: (session: Pick<Grant, 'sessionHash' | 'userKey'>) => WatchedSession
  /** Whether visitors without a visit may be there. */
  readonly mayAnybodyEnter: (islandKey: number) => boolean
  /** Which of these users may enter an island. */
  readonly whoMayEnter: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number) => boolean>
}

interface Passage {
  /** Null if the visitor came in without a visit, as anybody can. */
  readonly visit: Grant | null
  readonly cut: () => void
}

/** The transfers of visitors. Ends them when their visitors lose the right to enter. */
export class GrantConnections {
  readonly #options: PassagesOptions
  readonly #passages = new Map<number, Set<Passage>>()

  constructor(options: PassagesOptions) {
    this.#options = options
  }

  /** Returns a `begin` for one visitor's transfers. */
  of(visit: Grant | null): Begin {
    return (options) => {
      const transfer = this.#options.transfers.begin(options)
      if (transfer === undefined) return undefined
      const { islandKey, cut } = options
      return this.#watch(islandKey, { visit, cut: () => cut('shut') }, transfer)
    }
  }

  /**
   * Call it when who may enter an island may have changed. If storage can't tell, the visitors have to
   * leave too.
   */
  async check(islandKey: number): Promise<void> {
    const { mayAnybodyEnter, whoMayEnter } = this.#options
    const passages = [...(this.#passages.get(islandKey) ?? [])]
    const visits: { readonly passage: Passage; readonly userKey: number }[] = []
    for (const passage of passages) {
      if (passage.visit !== null) visits.push({ passage, userKey: passage.visit.userKey })
      else if (!mayAnybodyEnter(islandKey)) passage.cut()
    }
    if (visits.length === 0) return
    const userKeys = [...new Set(visits.map(({ userKey }) => userKey))]
    const mayEnter = await whoMayEnter(islandKey, userKeys).catch(() => () => false)
    for (const { passage, userKey } of visits) if (!mayEnter(userKey)) passage.cut()
  }

  #watch(islandKey: number, passage: Passage, transfer: Transfer): Transfer {
    const passages = this.#passages.get(islandKey) ?? new Set()
    this.#passages.set(islandKey, passages)
    passages.add(passage)
    const session = passage.visit === null ? undefined : this.#options.watchSession(passage.visit)
    session?.signal.addEventListener('abort', passage.cut)
    return {
      mayRest: transfer.mayRest,
      end: () => {
        transfer.end()
        if (!passages.delete(passage)) return
        session?.stop()
        if (passages.size === 0) this.#passages.delete(islandKey)
      },
    }
  }
}
