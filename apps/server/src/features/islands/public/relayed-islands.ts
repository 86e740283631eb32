import { mayEnter, mayEverybodyKnow, signedOutViewer } from '../access-policy.ts'
import type { CachedIslands } from './cached-islands.ts'
import type { IslandFacts } from './public-islands-store.ts'

/** The islands whose visitors come through the relay, regardless of who may see them. */
export class RelayedIslands {
  readonly #cached: Pick<CachedIslands, 'find'>
  readonly #islands = new Map<number, IslandFacts>()
  readonly #keysBySlug = new Map<string, number>()
  readonly #keysById = new Map<string, number>()

  constructor(cached: Pick<CachedIslands, 'find'>) {
    this.#cached = cached
  }

  keys(): Iterable<number> {
    return this.#islands.keys()
  }

  /** What the relay needs to know about an island that it carries. */
  find(key: number) {
    const island = this.#islands.get(key)
    const opening = this.#cached.find(key)?.opening
    if (island === undefined || opening === undefined) return undefined
    const { id, slug, name, hostKey, hostName, isHostTrusted, hasRules } = island
    return {
      key,
      id,
      slug,
      name,
      hostKey,
      hostName,
      carrierKey: island.carrier?.key ?? null,
      mayAnybodyEnter: opening.pause === null && mayEnter(island, signedOutViewer),
      mayAnybodyKnow: mayEverybodyKnow(island),
      isStopped: island.isRelayStopped,
      isHostTrusted,
      hasRules,
      opening,
      pause: opening.pause,
    }
  }

  /** By its current slug only. An old one leads to the site, which redirects. */
  findBySlug(slug: string) {
    const key = this.#keysBySlug.get(slug)
    return key === undefined ? undefined : this.find(key)
  }

  /** Undefined if the user does not host it. */
  findHosted(hostKey: number, id: string) {
    const key = this.#keysById.get(id)
    if (key === undefined || this.#islands.get(key)?.hostKey !== hostKey) return undefined
    return this.find(key)
  }

  set(island: IslandFacts): void {
    this.delete(island.key)
    if (!island.isRelayed) return
    const { key, id, slug } = island
    this.#islands.set(key, island)
    this.#keysBySlug.set(slug, key)
    this.#keysById.set(id, key)
  }

  delete(key: number): void {
    const island = this.#islands.get(key)
    if (island === undefined) return
    this.#islands.delete(key)
    this.#keysById.delete(island.id)
    // Another island may have the slug by now.
    if (this.#keysBySlug.get(island.slug) === key) this.#keysBySlug.delete(island.slug)
  }
}
