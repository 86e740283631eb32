import type { PublicDevice } from '@astropelago/contract/devices'
import type { NeighbourDevice } from '@astropelago/contract/neighbours'
import { onTestFinished, vi } from 'vitest'
import { createSelection } from '../../selection.ts'
import { indexListing } from '../index-listing.ts'
import type { FromDecodeWorker, ToDecodeWorker } from '../decode-worker.ts'
import { createNodeSource } from '../node-source.ts'
import { createNodeStore } from '../node-store.ts'
import { NodeList } from '../node-table.ts'

/** The server's answer to a request for the list. */
type Answer = readonly PublicDevice[] | 'failed'

/**
 * The state that the Observatory's parts share, filled with these devices as if the server had listed them.
 */
export function sampleNetwork(
  listed: Answer,
  total?: number,
  ofNeighbours?: readonly NeighbourDevice[],
) {
  let answer = listed
  const store = createNodeStore()
  const startWorker = () => new DecodeWorkerHere(() => answer, total, ofNeighbours)
  const source = createNodeSource({ store, startWorker })
  source.start()
  onTestFinished(() => source.stop())
  return {
    store,
    source,
    selection: createSelection(),
    /** Changes the answer and loads it. */
    list: (next: Answer) => {
      answer = next
      source.retry()
    },
  }
}

/** Lists these devices to parts that create a source of their own, until the test ends. */
export function listInWorker(listed: Answer, ofNeighbours: readonly NeighbourDevice[] = []): void {
  class Listing extends DecodeWorkerHere {
    constructor() {
      super(() => listed, undefined, ofNeighbours)
    }
  }
  vi.stubGlobal('Worker', Listing)
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Decodes like the worker, but on the main thread, where tests can answer. */
class DecodeWorkerHere extends EventTarget {
  readonly #nodes = new NodeList()
  readonly #answer: () => Answer
  readonly #total: number | undefined
  readonly #ofNeighbours: readonly NeighbourDevice[]

  constructor(
    answer: () => Answer,
    total: number | undefined,
    ofNeighbours: readonly NeighbourDevice[] = [],
  ) {
    super()
    this.#ofNeighbours = ofNeighbours
    this.#answer = answer
    this.#total = total
  }

  postMessage(message: ToDecodeWorker): void {
    const { kind } = message
    if (kind === 'private') this.#nodes.table.setPrivate(message.devices)
    if (kind === 'carriers') {
      this.#nodes.table.setCarriers(message.ids)
      this.#sayUpdate()
    }
    if (kind === 'neighbours') {
      if (this.#nodes.showNeighbours(message.neighbours)) {
        this.#nodes.loadOfNeighbours({ rows: this.#ofNeighbours, position: undefined })
      }
      queueMicrotask(() => this.#sayAll())
    }
    if (kind === 'load') queueMicrotask(() => this.#load(this.#answer()))
  }

  terminate(): void {
    this.#say = () => {}
  }

  #load(answer: Answer): void {
    if (answer === 'failed') {
      this.#say({ kind: 'failed' })
      return
    }
    this.#nodes.load({ rows: answer, etag: null })
    const update = this.#sayUpdate()
    const size = { listed: answer.length, total: this.#total ?? answer.length }
    this.#say({ kind: 'loaded', size, position: undefined })
    if (update?.kind === 'columns') this.#sayListing()
  }

  #sayAll(): void {
    if (this.#sayUpdate()?.kind === 'columns') this.#sayListing()
  }

  #sayListing(): void {
    this.#say({ kind: 'listing', index: indexListing(this.#nodes.table.nodes) })
  }

  #sayUpdate() {
    const update = this.#nodes.table.takeUpdate()
    if (update !== undefined) this.#say({ kind: 'update', update })
    return update
  }

  #say = (data: FromDecodeWorker) => {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}
