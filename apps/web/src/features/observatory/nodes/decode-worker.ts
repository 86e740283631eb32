import { fetchRows } from './fetch-rows.ts'
import { buffersOfIndex, indexListing } from './index-listing.ts'
import { NodeTable } from './node-table.ts'
import { buffersOf } from './pack-columns.ts'
import type { FromDecodeWorker, ListSize, ToDecodeWorker } from './worker-messages.ts'

// 100,000 devices take about a third of a second to parse, decode and sort: no page may wait for that.

const table = new NodeTable()
let etag: string | null = null
let size: ListSize = { listed: 0, total: 0 }

globalThis.addEventListener('message', ({ data }: MessageEvent<ToDecodeWorker>) => {
  if (data.kind === 'load') void load()
  else {
    table.apply(data.changedRows, data.removedIds)
    if (sendUpdate()) sendListing()
  }
})

async function load(): Promise<void> {
  try {
    const fetched = await fetchRows(etag)
    if (fetched === undefined) {
      send({ kind: 'loaded', size })
      return
    }
    table.setAll(fetched.rows)
    ;({ etag, size } = fetched)
    const isReshaped = sendUpdate()
    send({ kind: 'loaded', size })
    if (isReshaped) sendListing()
  } catch {
    // What failed is in the browser's console already; the page says that the list is old and retries.
    send({ kind: 'failed' })
  }
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
