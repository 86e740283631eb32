import type { PublicDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import { fetchRows, type ListSize } from './fetch-rows.ts'
import { buffersOfIndex, indexListing, type ListingIndex } from './index-listing.ts'
import { buffersOf } from './node-columns.ts'
import { NodeList, type NodeUpdate } from './node-table.ts'

// 100,000 devices take about a third of a second to parse, decode and sort: no page may wait for that.

export type ToDecodeWorker =
  | { readonly kind: 'load' }
  /** All the visitor's private devices. */
  | { readonly kind: 'private'; readonly devices: readonly PublicDevice[] }
  /** Of all devices that carry an island. */
  | { readonly kind: 'carriers'; readonly ids: readonly string[] }
  | {
      readonly kind: 'apply'
      readonly changed: readonly PublicDevice[]
      readonly removedIds: readonly string[]
      /** The position in the feed up to which these changes go. */
      readonly position: FeedPosition
    }

export type FromDecodeWorker =
  | { readonly kind: 'update'; readonly update: NodeUpdate }
  /** Of the columns that were sent last; after the end of the load, so that nothing waits for it. */
  | { readonly kind: 'listing'; readonly index: ListingIndex }
  /** The end of each load; the nodes that it changed were sent before. */
  | {
      readonly kind: 'loaded'
      readonly size: ListSize
      /** Up to where the nodes are told by the feed's order; undefined where the server has none. */
      readonly position: FeedPosition | undefined
    }
  | { readonly kind: 'failed' }

const nodes = new NodeList()
const { table } = nodes
let etag: string | null = null
let hasLoaded = false
let size: ListSize = { listed: 0, total: 0 }
let telling: ReturnType<typeof setTimeout> | undefined
let tellingTookMs = 0

globalThis.addEventListener('message', ({ data }: MessageEvent<ToDecodeWorker>) => {
  if (data.kind === 'load') void load()
  else {
    if (data.kind === 'private') table.setPrivate(data.devices)
    else if (data.kind === 'carriers') table.setCarriers(data.ids)
    else nodes.apply(data.changed, data.removedIds, data.position)
    // Before the first list they would look like all there are: they are told with it.
    if (!hasLoaded) return
    // To tell of one new device among 100,000 takes as long as to tell of all: what comes meanwhile is
    // told together, and two thirds of the time are left for it.
    telling ??= setTimeout(tell, 2 * tellingTookMs)
  }
})

async function load(): Promise<void> {
  try {
    const fetched = await fetchRows(etag)
    if (fetched !== undefined) {
      nodes.load(fetched)
      size = fetched.size
      etag = fetched.etag
    }
    hasLoaded = true
    const isReshaped = sendUpdate()
    send({ kind: 'loaded', size, position: nodes.position })
    if (isReshaped) sendListing()
  } catch {
    // What failed is in the browser's console already; the page says that the list is old and retries.
    send({ kind: 'failed' })
  }
}

function tell(): void {
  telling = undefined
  const startMs = performance.now()
  if (sendUpdate()) sendListing()
  tellingTookMs = performance.now() - startMs
}

/** Whether columns were sent, which need an index. */
function sendUpdate(): boolean {
  const update = table.takeUpdate()
  if (update === undefined) return false
  if (update.kind === 'statuses') {
    send({ kind: 'update', update }, [update.indexes.buffer, update.statuses.buffer])
    return false
  }
  send({ kind: 'update', update }, buffersOf(update.columns))
  return true
}

/** Comes after the columns, so that the pictures are drawn while this is sorted. */
function sendListing(): void {
  const index = indexListing(table.nodes)
  send({ kind: 'listing', index }, buffersOfIndex(index))
}

function send(message: FromDecodeWorker, transfer: ArrayBufferLike[] = []): void {
  globalThis.postMessage(message, { transfer })
}
