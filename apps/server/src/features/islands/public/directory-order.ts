import type { AccessPolicy, IslandKind } from '@astropelago/contract/islands'
import { compareNewest, NewestFirst, type PublishedPlace } from './newest-first.ts'

/** What the directory sorts and filters by. */
export interface DirectoryEntry {
  readonly key: number
  readonly id: string
  readonly kind: IslandKind
  readonly access: AccessPolicy
  readonly isOpen: boolean
  readonly publishedMs: number
}

export interface DirectoryFilter {
  readonly kind: IslandKind | undefined
  readonly isOpenOnly: boolean
  readonly isPublicOnly: boolean
}

/** Where a page ended. The next page begins after it. */
export interface DirectoryPlace {
  readonly isOpen: boolean
  readonly publishedMs: number
  readonly id: string
}

export interface DirectoryPage {
  readonly keys: readonly number[]
  /** Undefined on the last page. */
  readonly next: DirectoryPlace | undefined
}

interface Bucket {
  readonly kind: IslandKind
  readonly access: AccessPolicy
  readonly isOpen: boolean
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

  /** Newest first. */
  newest(
    filter: DirectoryFilter,
    after: DirectoryPlace | undefined,
    length: number,
  ): DirectoryPage {
    const entries = merge(this.#fitting(filter), after, length + 1)
    return pageOf(entries, length)
  }

  /** Open ones first, both parts newest first. */
  openFirst(
    filter: DirectoryFilter,
    after: DirectoryPlace | undefined,
    length: number,
  ): DirectoryPage {
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

/** Whether an island matches a filter. */
export function fits(
  { kind, isOpen, access }: Pick<DirectoryEntry, 'kind' | 'isOpen' | 'access'>,
  filter: DirectoryFilter,
): boolean {
  return (
    (filter.kind === undefined || kind === filter.kind) &&
    (!filter.isOpenOnly || isOpen) &&
    (!filter.isPublicOnly || access === 'public')
  )
}

function nameOf({
  kind,
  access,
  isOpen,
}: Pick<DirectoryEntry, 'kind' | 'access' | 'isOpen'>): string {
  return `${kind} ${access} ${isOpen}`
}

/** Merges up to `length` entries after a place. */
function merge(
  buckets: readonly Bucket[],
  after: PublishedPlace | undefined,
  length: number,
): DirectoryEntry[] {
  return buckets
    .flatMap(({ entries }) => entries.page(after, length))
    .toSorted(compareNewest)
    .slice(0, length)
}

function pageOf(entries: readonly DirectoryEntry[], length: number): DirectoryPage {
  const page = entries.slice(0, length)
  const last = page.at(-1)
  return {
    keys: page.map(({ key }) => key),
    next: entries.length > length ? last : undefined,
  }
}
