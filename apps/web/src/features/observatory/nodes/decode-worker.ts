import type { PublicDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import { fetchNeighbourRows, fetchRows, type ListSize } from './fetch-rows.ts'
import { buffersOfIndex, indexListing, type ListingIndex } from './index-listing.ts'
import { buffersOf, type NodeNeighbour } from './node-columns.ts'
import { type NeighbourNodeChanges, NodeList, type NodeUpdate } from './node-table.ts'

// Decoding and sorting 100,000 devices takes a third of a second, too long for the main thread.

export type ToDecodeWorker =
  | { readonly kind: 'load' }
  | { readonly kind: 'private'; readonly devices: readonly PublicDevice[] }
  | { readonly kind: 'carriers'; readonly ids: readonly string[] }
  | {
      readonly kind: 'apply'
      readonly changed: readonly PublicDevice[]
      readonly removedIds: readonly string[]
      readonly position: FeedPosition
    }
  /** Whose devices to show besides this installation's. They load after its own list. */
  | { readonly kind: 'neighbours'; readonly neighbours: readonly NodeNeighbour[] }
  | { readonly kind: 'load-neighbours' }
  | { readonly kind: 'apply-neighbours'; readonly changes: NeighbourNodeChanges }

export type FromDecodeWorker =
  | { readonly kind: 'update'; readonly update: NodeUpdate }
  /** The index for the columns sent last. It comes after `loaded`, so that nothing waits for it. */
  | { readonly kind: 'listing'; readonly index: ListingIndex }
  | {
      readonly kind: 'loaded'
      readonly size: ListSize
      readonly position: FeedPosition | undefined
    }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'loaded-neighbours'
      readonly position: FeedPosition | undefined
      /** Whether the list is older than a change that is known. */
      readonly isOld: boolean
    }
  | { readonly kind: 'failed-neighbours' }

const nodes = new NodeList()
const { table } = nodes
let etag: string | null = null
let hasLoaded = false
let neighboursEtag: string | null = null
let areNeighboursDue = false
let isLoadingNeighbours = false
let size: ListSize = { listed: 0, total: 0 }
let pendingSend: ReturnType<typeof setTimeout> | undefined
let sendingTookMs = 0

globalThis.addEventListener('message', ({ data }: MessageEvent<ToDecodeWorker>) => {
  if (data.kind === 'load') void load()
  else if (data.kind === 'load-neighbours') void loadNeighbours()
  else {
    if (data.kind === 'private') table.setPrivate(data.devices)
    else if (data.kind === 'carriers') table.setCarriers(data.ids)
    else if (data.kind === 'apply-neighbours') nodes.applyOfNeighbours(data.changes)
    else if (data.kind === 'neighbours') showNeighbours(data.neighbours)
    else nodes.apply(data.changed, data.removedIds, data.position)
    // Before the first list these would seem to be the whole network, so they are sent together with it.
    if (!hasLoaded) return
    // As slow as a full update, so changes are batched, and two thirds of the time stay free.
    pendingSend ??= setTimeout(sendChanges, 2 * sendingTookMs)
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
    if (areNeighboursDue) void loadNeighbours()
  } catch {
    // The browser's console already has the error. The page says that the list is old, and retries.
    send({ kind: 'failed' })
  }
}

function showNeighbours(neighbours: readonly NodeNeighbour[]): void {
  const isMore = nodes.showNeighbours(neighbours)
  if (neighbours.length === 0) areNeighboursDue = false
  if (!isMore) return
  // The same list has more to show now.
  neighboursEtag = null
  void loadNeighbours()
}

async function loadNeighbours(): Promise<void> {
  areNeighboursDue = true
  if (!hasLoaded || isLoadingNeighbours) return
  areNeighboursDue = false
  isLoadingNeighbours = true
  try {
    const fetched = await fetchNeighbourRows(neighboursEtag)
    if (fetched !== undefined) {
      nodes.loadOfNeighbours(fetched)
      neighboursEtag = fetched.etag
    }
    const { neighboursPosition: position, isNeighboursListDue: isOld } = nodes
    send({ kind: 'loaded-neighbours', position, isOld })
    if (sendUpdate()) sendListing()
  } catch {
    send({ kind: 'failed-neighbours' })
  }
  isLoadingNeighbours = false
  if (areNeighboursDue) void loadNeighbours()
}

function sendChanges(): void {
  pendingSend = undefined
  const startMs = performance.now()
  if (sendUpdate()) sendListing()
  sendingTookMs = performance.now() - startMs
}

/** Returns true if columns were sent, which need a new index. */
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

/** Sent after the columns, so that the globe and the map draw while this sorts. */
function sendListing(): void {
  const index = indexListing(table.nodes)
  send({ kind: 'listing', index }, buffersOfIndex(index))
}

function send(message: FromDecodeWorker, transfer: ArrayBufferLike[] = []): void {
  globalThis.postMessage(message, { transfer })
}
