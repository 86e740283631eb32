import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import type { Clock } from '../../../clock.ts'
import { hashToken } from '../../../secret-token.ts'
import type { EntryRights } from '../relayed-islands.ts'
import type { VisitsStore } from './visits-store.ts'

/** What another server changes is noticed within a second; what this one does, at once. */
const cachedMs = 900
const maxCached = 10_000

/** Who an island's service is told that a visitor is. */
export interface Identity {
  readonly id: string
  readonly name: string
}

/** Who was let in by a ticket, and what that one may by now. */
export interface Visit extends EntryRights {
  readonly islandKey: number
  readonly userKey: number
  readonly sessionHash: Uint8Array
  /** Null for who enters without a name. */
  readonly identity: Identity | null
}

/** What the relay asks of accounts; `app.ts` hands it in. */
export interface SessionHolder {
  /** As others read it. */
  readonly shownName: string
}

export interface VisitsOptions {
  readonly store: Pick<VisitsStore, 'findVisit'>
  readonly clock: Clock
  /** Whose session it is; undefined once it has ended. */
  readonly findSessionHolder: (sessionHash: Uint8Array) => Promise<SessionHolder | undefined>
  readonly rightsOn: (islandKey: number, userKey: number) => Promise<EntryRights>
}

interface Looked {
  readonly asked: Promise<Visit | undefined>
  /** From when on it is known. */
  found?: Visit
  /** Set where something changed since it was read, or while it was. */
  isStale: boolean
}

/** Visits by their cookies, held in memory for a moment: a page asks for dozens of things at a time. */
export class Visits {
  readonly #options: VisitsOptions
  readonly #looked: LRUCache<string, Looked>

  constructor(options: VisitsOptions) {
    this.#options = options
    this.#looked = new LRUCache({
      ...atMostEntries(maxCached),
      ttl: cachedMs,
      ttlResolution: 0,
      perf: { now: options.clock },
    })
  }

  /**
   * Undefined alike for what was never a visit and for one whose session has ended.
   * @throws StorageUnavailable
   */
  async find(token: string): Promise<Visit | undefined> {
    for (;;) {
      const looked = this.#looked.get(token) ?? this.#look(token)
      const visit = await looked.asked
      if (!looked.isStale) return visit
    }
  }

  /** To be called when who may enter an island, or what it is told, may be another. */
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
    const note = (visit: Visit | undefined) => {
      // A stranger's guesses must not push out who was let in.
      if (visit === undefined) forget()
      else looked.found = visit
    }
    asked.then(note, forget)
    return looked
  }

  async #read(token: string): Promise<Visit | undefined> {
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
