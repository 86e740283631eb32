import { fetchRows } from './fetch-rows.ts'
import { buffersOfIndex, indexListing } from './index-listing.ts'
import { NodeList } from './node-list.ts'
import { buffersOf } from './pack-columns.ts'
import type { FromDecodeWorker, ListSize, ToDecodeWorker } from './worker-messages.ts'

// 100,000 devices take about a third of a second to parse, decode and sort: no page may wait for that.

const nodes = new NodeList()
const { table } = nodes
let etag: string | null = null
let size: ListSize = { listed: 0, total: 0 }
let telling: ReturnType<typeof setTimeout> | undefined
let tellingTookMs = 0

globalThis.addEventListener('message', ({ data }: MessageEvent<ToDecodeWorker>) => {
  if (data.kind === 'load') void load()
  else {
    nodes.apply(data.changedRows, data.removedIds, data.sequence)
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
      etag = fetched.sequence
    }
    const isReshaped = sendUpdate()
    send({ kind: 'loaded', size, sequence: nodes.sequence })
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
