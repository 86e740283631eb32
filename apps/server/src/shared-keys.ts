/** Keys of the public subjects that other installations may show. */
export class SharedKeys {
  readonly #isShared = new Map<number, boolean>()
  #count = 0

  get count(): number {
    return this.#count
  }

  has(key: number): boolean {
    return this.#isShared.get(key) === true
  }

  /** Whether it was shared at any time since the server started. */
  had(key: number): boolean {
    return this.#isShared.has(key)
  }

  keys(): number[] {
    return [...this.#isShared].filter(([, isShared]) => isShared).map(([key]) => key)
  }

  set(key: number, isShared: boolean): { readonly isChanged: boolean; readonly isLess: boolean } {
    const was = this.has(key)
    if (was === isShared) return { isChanged: false, isLess: false }
    this.#isShared.set(key, isShared)
    this.#count += isShared ? 1 : -1
    return { isChanged: true, isLess: was }
  }
}
