/** Users who may not see an island now stay, so that a right that comes back is noticed. */
export class IslandOwners {
  /** By island, then by user; undefined until it is read. */
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
