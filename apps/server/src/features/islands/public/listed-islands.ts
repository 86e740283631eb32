import type { IslandCard } from '@astropelago/contract/islands'
import type { Clock } from '../../../clock.ts'
import { SharedKeys } from '../../../shared-keys.ts'
import { asVisible, presentOpening, type Opening } from '../island-openness.ts'
import { presentCard } from '../present-island.ts'
import {
  allListed,
  DirectoryOrder,
  NewestFirst,
  type DirectoryEntry,
  type DirectoryPlace,
} from './directory-order.ts'
import type { IslandFacts } from './public-islands-store.ts'

/** What others can see of a change. After `less`, earlier messages say more than they may see now. */
type Seen = 'nothing' | 'added' | 'changed' | 'less'

interface Listed extends DirectoryEntry {
  readonly facts: IslandFacts
  readonly card: IslandCard
  /** For everybody. */
  readonly visibleFromMs: number
}

/** Slugs taken from the order before other work gets a turn: about 1 ms. */
const slugsAtOnce = 500

/** Each card takes about 1 kB. */
export class ListedIslands {
  readonly order = new DirectoryOrder()
  readonly shared = new SharedKeys()
  readonly #islands = new Map<number, Listed>()
  readonly #keysBySlug = new Map<string, number>()
  readonly #carried = new NewestFirst<Listed>()
  readonly #withRoutes = new Set<number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#islands.size
  }

  has(key: number): boolean {
    return this.#islands.has(key)
  }

  facts(key: number): IslandFacts | undefined {
    return this.#islands.get(key)?.facts
  }

  /** Their neighbours may be unlisted. */
  withRoutes(): Iterable<number> {
    return this.#withRoutes
  }

  card(key: number): IslandCard | undefined {
    return this.#islands.get(key)?.card
  }

  /** Old slugs find nothing. */
  cardBySlug(slug: string): IslandCard | undefined {
    const key = this.#keysBySlug.get(slug)
    return key === undefined ? undefined : this.card(key)
  }

  cards(keys: readonly number[]): IslandCard[] {
    return keys.flatMap((key) => this.card(key) ?? [])
  }

  /** The newest first, in parts. Later parts include changes made meanwhile. */
  *slugs(limit: number): Iterable<readonly string[]> {
    let after: DirectoryPlace | undefined
    for (let left = limit; left > 0; left -= slugsAtOnce) {
      const { keys, next } = this.order.newest(allListed, after, Math.min(left, slugsAtOnce))
      yield this.cards(keys).map(({ slug }) => slug)
      if (next === undefined) return
      after = next
    }
  }

  /** Newest first. */
  carried(limit: number): IslandCard[] {
    return this.#carried.page(undefined, limit).map(({ card }) => card)
  }

  set(facts: IslandFacts, opening: Opening): Seen {
    const before = this.#islands.get(facts.key)
    const { key, id, kind, access, knownSince } = facts
    // Until the time is on record, it is when the island was first found listed.
    const visibleFromMs = knownSince.everybodyMs ?? before?.visibleFromMs ?? this.#clock()
    const card = presentCard(facts, asVisible(presentOpening(opening), visibleFromMs))
    const listed: Listed = {
      key,
      id,
      kind,
      access,
      isOpen: opening.isOpen,
      publishedMs: facts.publishedMs ?? 0,
      facts,
      card,
      visibleFromMs,
    }
    if (before !== undefined) this.#forget(before)
    this.order.add(listed)
    if (card.deviceId !== null) this.#carried.add(listed)
    this.#islands.set(key, listed)
    this.#keysBySlug.set(card.slug, key)
    if (facts.neighbourKeys.length === 0) this.#withRoutes.delete(key)
    else this.#withRoutes.add(key)
    const shared = this.shared.set(key, facts.isShared)
    if (before === undefined) return 'added'
    const wasPlaced = before.facts.carrier?.isShared === true
    const isPlaced = facts.carrier?.isShared === true
    if (shared.isLess || (wasPlaced && !isPlaced)) return 'less'
    const was = before.card
    if (JSON.stringify(was) === JSON.stringify(card)) {
      return shared.isChanged || wasPlaced !== isPlaced ? 'changed' : 'nothing'
    }
    // If only its state changed, earlier messages stay true of their time.
    const { isOpen, isWatched, since } = card
    const isSame = JSON.stringify({ ...was, isOpen, isWatched, since }) === JSON.stringify(card)
    return isSame ? 'changed' : 'less'
  }

  /** @returns its id; undefined if it was not listed */
  delete(key: number): string | undefined {
    const listed = this.#islands.get(key)
    if (listed === undefined) return undefined
    this.#forget(listed)
    this.#islands.delete(key)
    this.#withRoutes.delete(key)
    this.shared.set(key, false)
    return listed.id
  }

  #forget(listed: Listed): void {
    const { key, card } = listed
    this.order.remove(listed)
    this.#carried.remove(listed)
    // Another island may have the slug by now.
    if (this.#keysBySlug.get(card.slug) === key) this.#keysBySlug.delete(card.slug)
  }
}
