import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import type { Clock } from '../../../clock.ts'
import { hashToken } from '../../../secret-token.ts'
import type { EntryRights } from '../relayed-islands.ts'
import type { GrantsStore } from './grants-store.ts'

/** Changes by another server take effect within a second, changes by this one at once. */
const cachedMs = 900
const maxCached = 10_000

/** The identity of a visitor that an island's service sees. */
export interface Identity {
  readonly id: string
  readonly name: string
}

/** A visitor who was let in by a ticket, with the rights of now. */
export interface Grant extends EntryRights {
  readonly islandKey: number
  readonly userKey: number
  readonly sessionHash: Uint8Array
  /** Null for a visitor who stays unnamed. */
  readonly identity: Identity | null
}

/** What the relay needs from accounts. `app.ts` hands it in. */
export interface SessionHolder {
  /** The name that others see. */
  readonly shownName: string
}

export interface GrantsOptions {
  readonly store: Pick<GrantsStore, 'findVisit'>
  readonly clock: Clock
  /** The user of a session; undefined once it has ended. */
  readonly findSessionHolder: (sessionHash: Uint8Array) => Promise<SessionHolder | undefined>
  readonly rightsOn: (islandKey: number, userKey: number) => Promise<EntryRights>
}

interface Looked {
  readonly asked: Promise<Grant | undefined>
  /** Set once `asked` has resolved to a visit. */
  found?: Grant
  /** Whether something changed since the read began. */
  isStale: boolean
}

/** Grants by their cookies, cached for a moment, because a page loads dozens of things at a time. */
export class Grants {
  readonly #options: GrantsOptions
  readonly #looked: LRUCache<string, Looked>

  constructor(options: GrantsOptions) {
    this.#options = options
    this.#looked = new LRUCache({
      ...atMostEntries(maxCached),
      ttl: cachedMs,
      ttlResolution: 0,
      perf: { now: options.clock },
    })
  }

  /**
   * Undefined if the cookie never named a visit, or its session has ended.
   * @throws StorageUnavailable
   */
  async find(token: string): Promise<Grant | undefined> {
    for (;;) {
      const looked = this.#looked.get(token) ?? this.#look(token)
      const visit = await looked.asked
      if (!looked.isStale) return visit
    }
  }

  /** Call it when who may enter an island, or the identity it sees of a visitor, may have changed. */
  forget(islandKey: number): void {
    for (const [token, looked] of this.#looked.entries()) {
      if (looked.found !== undefined && looked.found.islandKey !== islandKey) continue
      looked.isStale = true
      this.#looked.delete(token)
    }
  }

  #look(token: string): Looked {
    const asked = this.#read(token)
    const looked: Looked = { asked, isStale: false }
    this.#looked.set(token, looked)
    const forget = () => {
      if (this.#looked.peek(token) === looked) this.#looked.delete(token)
    }
    const note = (visit: Grant | undefined) => {
      // Invalid cookies must not push visits out of the cache.
      if (visit === undefined) forget()
      else looked.found = visit
    }
    asked.then(note, forget)
    return looked
  }

  async #read(token: string): Promise<Grant | undefined> {
    const { store, findSessionHolder, rightsOn } = this.#options
    const record = await store.findVisit(hashToken(token))
    if (record === undefined) return undefined
    const { islandKey, userKey, sessionHash, visitorId } = record
    const [holder, { mayEnter, entersPaused }] = await Promise.all([
      findSessionHolder(sessionHash),
      rightsOn(islandKey, userKey),
    ])
    if (holder === undefined) return undefined
    const identity = visitorId === null ? null : { id: visitorId, name: holder.shownName }
    return { islandKey, userKey, sessionHash, mayEnter, entersPaused, identity }
  }
}
