/** Where an entry belongs in a list sorted by publication. */
export interface PublishedPlace {
  readonly publishedMs: number
  readonly id: string
}

/**
 * Entries sorted by publication, newest first. With 100,000 entries, a page costs a binary search, and a
 * change moves part of a list.
 */
export class NewestFirst<Entry extends PublishedPlace & { readonly key: number }> {
  readonly #entries: Entry[] = []

  get count(): number {
    return this.#entries.length
  }

  add(entry: Entry): void {
    this.#entries.splice(this.#firstAfter(entry), 0, entry)
  }

  remove(entry: Entry): void {
    const after = this.#firstAfter(entry)
    if (this.#entries[after - 1]?.key === entry.key) this.#entries.splice(after - 1, 1)
  }

  /** Up to `length` entries after a place. */
  page(after: PublishedPlace | undefined, length: number): Entry[] {
    const from = after === undefined ? 0 : this.#firstAfter(after)
    return this.#entries.slice(from, from + length)
  }

  #firstAfter(place: PublishedPlace): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.#entries[middle]
      if (entry !== undefined && compareNewest(entry, place) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Negative if `a` comes before `b`. */
export function compareNewest(a: PublishedPlace, b: PublishedPlace): number {
  if (a.publishedMs !== b.publishedMs) return b.publishedMs - a.publishedMs
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
