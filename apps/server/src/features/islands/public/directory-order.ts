import type { AccessPolicy, IslandKind } from '@astropelago/contract/islands'
import { cutPage } from '../../../page-position.ts'

export interface DirectoryEntry extends DirectoryPlace {
  readonly key: number
  readonly kind: IslandKind
  readonly access: AccessPolicy
}

export interface DirectoryFilter {
  readonly kind: IslandKind | undefined
  readonly isOpenOnly: boolean
  readonly isPublicOnly: boolean
}

export const allListed = { kind: undefined, isOpenOnly: false, isPublicOnly: false }

export interface DirectoryPlace {
  readonly publishedMs: number
  readonly id: string
  readonly isOpen: boolean
}

interface Bucket extends Pick<DirectoryEntry, 'kind' | 'access' | 'isOpen'> {
  readonly entries: NewestFirst<DirectoryEntry>
}

/**
 * The listed islands in all orders of the directory. Islands of the same kind, access policy and state share a
 * sorted list, newest first, and a page merges the lists that match. With 100,000 islands, a page costs
 * about 20 binary searches, and a change costs one and moves part of a list.
 */
export class DirectoryOrder {
  readonly #buckets = new Map<string, Bucket>()

  add(entry: DirectoryEntry): void {
    const { kind, access, isOpen } = entry
    const name = nameOf(entry)
    const bucket = this.#buckets.get(name) ?? { kind, access, isOpen, entries: new NewestFirst() }
    this.#buckets.set(name, bucket)
    bucket.entries.add(entry)
  }

  remove(entry: DirectoryEntry): void {
    this.#buckets.get(nameOf(entry))?.entries.remove(entry)
  }

  count(filter: DirectoryFilter): number {
    return this.#fitting(filter).reduce((sum, { entries }) => sum + entries.count, 0)
  }

  newest(filter: DirectoryFilter, after: DirectoryPlace | undefined, length: number) {
    return pageOf(merge(this.#fitting(filter), after, length + 1), length)
  }

  /** Open ones first, both parts newest first. */
  openFirst(filter: DirectoryFilter, after: DirectoryPlace | undefined, length: number) {
    const fitting = this.#fitting(filter)
    const open = fitting.filter(({ isOpen }) => isOpen)
    const closed = fitting.filter(({ isOpen }) => !isOpen)
    const first = after?.isOpen === false ? [] : merge(open, after, length + 1)
    const rest = merge(closed, after?.isOpen === false ? after : undefined, length + 1)
    return pageOf([...first, ...rest], length)
  }

  #fitting(filter: DirectoryFilter): Bucket[] {
    return [...this.#buckets.values()].filter((bucket) => fits(bucket, filter))
  }
}

export function fits(
  { kind, isOpen, access }: Omit<Bucket, 'entries'>,
  filter: DirectoryFilter,
): boolean {
  return (
    (filter.kind === undefined || kind === filter.kind) &&
    (!filter.isOpenOnly || isOpen) &&
    (!filter.isPublicOnly || access === 'public')
  )
}

function nameOf({ kind, access, isOpen }: DirectoryEntry): string {
  return `${kind} ${access} ${isOpen}`
}

function merge(buckets: readonly Bucket[], after: DirectoryPlace | undefined, length: number) {
  return buckets
    .flatMap(({ entries }) => entries.page(after, length))
    .toSorted(compareNewest)
    .slice(0, length)
}

function pageOf(entries: readonly DirectoryEntry[], length: number) {
  const { shown, last: next } = cutPage<DirectoryEntry>(entries, length)
  return { keys: shown.map(({ key }) => key), next }
}

/** With 100,000 entries, a page costs a binary search, and a change moves a part of the list. */
export class NewestFirst<Entry extends DirectoryEntry> {
  readonly #entries: Entry[] = []

  get count(): number {
    return this.#entries.length
  }

  add(entry: Entry): void {
    this.#entries.splice(placeAfter(this.#entries, entry, compareNewest), 0, entry)
  }

  remove(entry: Entry): void {
    const after = placeAfter(this.#entries, entry, compareNewest)
    if (this.#entries[after - 1]?.key === entry.key) this.#entries.splice(after - 1, 1)
  }

  page(after: DirectoryPlace | undefined, length: number): Entry[] {
    const from = after === undefined ? 0 : placeAfter(this.#entries, after, compareNewest)
    return this.#entries.slice(from, from + length)
  }
}

/** The index in a sorted list after all entries that do not come after a place. */
export function placeAfter<Place>(
  sorted: readonly Place[],
  place: Place,
  compare: (a: Place, b: Place) => number,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = sorted[middle]
    if (entry !== undefined && compare(entry, place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function compareNewest(a: DirectoryPlace, b: DirectoryPlace): number {
  if (a.publishedMs !== b.publishedMs) return b.publishedMs - a.publishedMs
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
