import { devicesPerNeighbour, islandsPerNeighbour } from '@astropelago/contract/limits'
import type { StatementHead } from '@astropelago/contract/neighbour-directory'
import { clockErrorMs, StatementRefused } from '../statements.ts'
import type { DirectoryPosition } from './neighbours-store.ts'

/** Pages may hold a single entry each. */
const pagesMax = devicesPerNeighbour + islandsPerNeighbour

interface Snapshot extends DirectoryPosition {
  readonly next: number
  readonly total: number
}

/** What a statement means where it stands. */
export type Meaning =
  | { readonly kind: 'page'; readonly isFirst: boolean; readonly isLast: boolean }
  | { readonly kind: 'changes' | 'alive' }

/** Decides whether a neighbour's statements follow one another ([F22]). */
export class StatementOrder {
  readonly #address: string
  readonly #now: () => number
  #epoch: number | null
  #number: number | null
  #snapshot: Snapshot | undefined

  constructor({
    address,
    epoch,
    number,
    now,
  }: {
    readonly address: string
    readonly epoch: number | null
    readonly number: number | null
    readonly now: () => number
  }) {
    this.#address = address
    this.#epoch = epoch
    this.#number = number
    this.#now = now
  }

  /** Undefined until a snapshot is complete. */
  get position(): DirectoryPosition | undefined {
    return this.#epoch === null || this.#number === null
      ? undefined
      : { epoch: this.#epoch, number: this.#number }
  }

  /** @throws StatementRefused */
  take(head: StatementHead): Meaning {
    const { from, kind, at, epoch } = head
    if (from !== this.#address) throw new StatementRefused('It sends what another one has said.')
    if (at > this.#now() + clockErrorMs) throw new StatementRefused('Its clock is ahead of ours.')
    if (this.#epoch !== null && epoch < this.#epoch) {
      throw new StatementRefused('It goes back to an earlier state of its own.')
    }
    if (kind === 'page') return this.#takePage(head)
    if (kind !== 'changes' && kind !== 'alive') {
      throw new StatementRefused('It sends statements that do not belong here.')
    }
    const { position } = this
    if (position === undefined || this.#snapshot !== undefined || epoch !== position.epoch) {
      throw new StatementRefused('It sends changes of something that we do not have.')
    }
    const isNext =
      kind === 'changes' ? head.number > position.number : head.number >= position.number
    if (!isNext) throw new StatementRefused('It repeats what it has said before.')
    if (kind === 'alive' && at < this.#now() - clockErrorMs) {
      throw new StatementRefused('Its clock is behind ours, or somebody repeats what it said.')
    }
    this.#number = head.number
    return { kind }
  }

  #takePage({ epoch, number, page }: StatementHead): Meaning {
    if (page === undefined || page.total < 1 || page.total > pagesMax) {
      throw new StatementRefused('It sends a snapshot without a number of pages.')
    }
    const isFirst = page.index === 0
    if (isFirst) {
      const isBack = epoch === this.#epoch && this.#number !== null && number < this.#number
      if (isBack) throw new StatementRefused('It goes back to an earlier state of its own.')
      this.#epoch = epoch
      this.#number = null
      this.#snapshot = { epoch, number, next: 0, total: page.total }
    }
    const snapshot = this.#snapshot
    if (
      snapshot === undefined ||
      page.index !== snapshot.next ||
      page.total !== snapshot.total ||
      number !== snapshot.number ||
      epoch !== snapshot.epoch
    ) {
      throw new StatementRefused('Pages of its snapshot are missing or repeated.')
    }
    const isLast = page.index === page.total - 1
    this.#snapshot = isLast ? undefined : { ...snapshot, next: snapshot.next + 1 }
    if (isLast) this.#number = number
    return { kind: 'page', isFirst, isLast }
  }
}
