/**
 * For the users who listen, which islands they host or have joined. Users who may not see an island now stay,
 * so that a right that comes back is noticed without asking about everybody.
 */
export class IslandOwners {
  /** By island, then by user: whether the user may see it; undefined until that is read. */
  readonly #ofIslands = new Map<number, Map<number, boolean | undefined>>()
  readonly #islandsOf = new Map<number, Set<number>>()

  all(islandKey: number): readonly number[] {
    return [...(this.#ofIslands.get(islandKey)?.keys() ?? [])]
  }

  knowing(islandKey: number): readonly number[] {
    return this.all(islandKey).filter((userKey) => this.mayKnow(islandKey, userKey) === true)
  }

  has(islandKey: number, userKey: number): boolean {
    return this.#ofIslands.get(islandKey)?.has(userKey) === true
  }

  /** Undefined if it is not read yet, or the island is not theirs. */
  mayKnow(islandKey: number, userKey: number): boolean | undefined {
    return this.#ofIslands.get(islandKey)?.get(userKey)
  }

  set(islandKey: number, userKey: number, mayKnow: boolean | undefined): void {
    const owners = this.#ofIslands.get(islandKey) ?? new Map<number, boolean | undefined>()
    this.#ofIslands.set(islandKey, owners.set(userKey, mayKnow))
    const islands = this.#islandsOf.get(userKey) ?? new Set()
    this.#islandsOf.set(userKey, islands.add(islandKey))
  }

  delete(islandKey: number, userKey: number): void {
    const owners = this.#ofIslands.get(islandKey)
    owners?.delete(userKey)
    if (owners?.size === 0) this.#ofIslands.delete(islandKey)
    const islands = this.#islandsOf.get(userKey)
    islands?.delete(islandKey)
    if (islands?.size === 0) this.#islandsOf.delete(userKey)
  }

  deleteIsland(islandKey: number): void {
    for (const userKey of this.all(islandKey)) this.delete(islandKey, userKey)
  }

  deleteUser(userKey: number): void {
    for (const islandKey of this.#islandsOf.get(userKey) ?? []) this.delete(islandKey, userKey)
  }
}
