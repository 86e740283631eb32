import { isUpTo, readPosition } from '../../../lib/live-feed/feed-position.ts'
import type { FetchedRows } from './fetch-rows.ts'
import { NodeTable } from './node-table.ts'

/** The nodes, and how far the feed's order is told in them: what is older does not undo what is newer. */
export class NodeList {
  readonly table = new NodeTable()
  #sequence: string | null = null

  get sequence(): string | null {
    return this.#sequence
  }

  /** A list as the server had it at a sequence, which may be before changes that the feed has told. */
  load({ rows, sequence }: Pick<FetchedRows, 'rows' | 'sequence'>): void {
    if (this.#hasAll(sequence)) return
    this.table.setAll(rows)
    this.#sequence = sequence
  }

  apply(changedRows: readonly unknown[], removedIds: readonly string[], sequence: string): void {
    if (this.#hasAll(sequence)) return
    this.table.apply(changedRows, removedIds)
    this.#sequence = sequence
  }

  #hasAll(sequence: string | null): boolean {
    const own = readPosition(this.#sequence)
    const other = readPosition(sequence)
    return own !== undefined && other !== undefined && isUpTo(own, other)
  }
}
