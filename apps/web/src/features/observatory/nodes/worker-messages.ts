import type { ListingIndex } from './index-listing.ts'
import type { NodeUpdate } from './node-table.ts'

export type ToDecodeWorker =
  | { readonly kind: 'load' }
  | {
      readonly kind: 'apply'
      readonly changedRows: readonly unknown[]
      readonly removedIds: readonly string[]
      /** The place in the feed up to which these changes go. */
      readonly sequence: string
    }

/** How many public devices the server listed, and how many there are. */
export interface ListSize {
  readonly listed: number
  readonly total: number
}

export type FromDecodeWorker =
  | { readonly kind: 'update'; readonly update: NodeUpdate }
  /** Of the columns that were sent last; after the end of the load, so that nothing waits for it. */
  | { readonly kind: 'listing'; readonly index: ListingIndex }
  /** The end of each load; the nodes that it changed were sent before. */
  | {
      readonly kind: 'loaded'
      readonly size: ListSize
      /** Up to where the nodes are told by the feed's order; null where the server has none. */
      readonly sequence: string | null
    }
  | { readonly kind: 'failed' }
