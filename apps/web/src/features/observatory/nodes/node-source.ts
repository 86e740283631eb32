import type { PublicDevice } from '@astropelago/contract/devices'
import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../../lib/emitter.ts'
import type { FeedSubscription, LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import type { FromDecodeWorker, ToDecodeWorker } from './decode-worker.ts'
import type { ListSize } from './fetch-rows.ts'
import type { Listing } from './index-listing.ts'
import type { WritableNodeStore } from './node-store.ts'
import type { ChangeTally, NodeUpdate } from './node-table.ts'
import { type Poll, startPoll } from './start-poll.ts'

const pollMs = 5000

export interface SourceState {
  /** `failed` has nothing to show; `stale` shows the last list that arrived. */
  readonly phase: 'loading' | 'ready' | 'stale' | 'failed'
  readonly isBusy: boolean
  readonly size: ListSize | undefined
  /** The index for searching and sorting. It lags a moment behind the nodes. */
  readonly listing: Listing | undefined
}

type DecodeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>
type Page = NonNullable<Parameters<typeof startPoll>[0]['page']>

interface NodeSourceOptions {
  readonly store: WritableNodeStore
  readonly startWorker?: () => DecodeWorker
  readonly page?: Page
  readonly feed?: Pick<LiveFeed, 'state' | 'subscribe' | 'join'> | undefined
}

/**
 * Keeps a store filled with the public devices. It loads the list once and follows the live feed. While
 * the feed is not live, it polls the list.
 */
export class NodeSource {
  readonly #store: WritableNodeStore
  readonly #startWorker: () => DecodeWorker
  readonly #page: Page | undefined
  readonly #feed: NodeSourceOptions['feed']
  readonly #stateChanges = createEmitter()
  readonly #nodeChanges = createEmitter<ChangeTally>()
  #state: SourceState = { phase: 'loading', isBusy: false, size: undefined, listing: undefined }
  #poll: Poll | undefined
  #subscription: FeedSubscription | undefined
  #unfollowFeed: (() => void) | undefined
  #worker: DecodeWorker | undefined
  /** Whether the current worker has sent a list. Updates before that are not reported as changes. */
  #hasList = false
  #endLoad: (() => void) | undefined
  /** What every new worker is sent first. */
  readonly #standing = new Map<'private' | 'carriers', ToDecodeWorker>()

  constructor({ store, startWorker = startDecodeWorker, page, feed }: NodeSourceOptions) {
    this.#store = store
    this.#startWorker = startWorker
    this.#page = page
    this.#feed = feed
  }

  get state(): SourceState {
    return this.#state
  }

  readonly subscribe = this.#stateChanges.on

  readonly onChanges = this.#nodeChanges.on

  start(): void {
    if (this.#poll !== undefined) return
    this.#poll = startPoll({ everyMs: pollMs, load: () => this.#load(), page: this.#page })
    this.#subscription = this.#feed?.join({
      onChanges: ({ changed, removedIds, position }) =>
        this.#post({ kind: 'apply', changed, removedIds, position }),
      onReload: () => this.#poll?.now(),
    })
    this.#unfollowFeed = this.#feed?.subscribe(() => this.#followFeed())
    this.#followFeed()
  }

  stop(): void {
    this.#unfollowFeed?.()
    this.#subscription?.leave()
    this.#subscription = undefined
    this.#poll?.stop()
    this.#poll = undefined
    this.#closeWorker()
    this.#loadEnded({})
  }

  retry(): void {
    this.#poll?.now()
  }

  setPrivate(devices: readonly PublicDevice[]): void {
    this.#postAlways({ kind: 'private', devices })
  }

  setCarriers(ids: readonly string[]): void {
    this.#postAlways({ kind: 'carriers', ids })
  }

  #followFeed(): void {
    this.#poll?.setPaused(this.#feed?.state.phase === 'live')
  }

  #load(): Promise<void> {
    return new Promise((resolve) => {
      this.#endLoad = resolve
      this.#setState({ isBusy: true })
      this.#post({ kind: 'load' })
    })
  }

  #loadEnded(changes: Partial<SourceState>): void {
    this.#setState({ ...changes, isBusy: false })
    this.#endLoad?.()
    this.#endLoad = undefined
  }

  #failed(): void {
    this.#loadEnded({ phase: this.#state.size === undefined ? 'failed' : 'stale' })
  }

  #post(message: ToDecodeWorker): void {
    if (this.#worker === undefined) {
      this.#worker = this.#openWorker()
      for (const standing of this.#standing.values()) this.#worker.postMessage(standing)
    }
    this.#worker.postMessage(message)
  }

  #postAlways(message: Extract<ToDecodeWorker, { kind: 'private' | 'carriers' }>): void {
    this.#standing.set(message.kind, message)
    this.#worker?.postMessage(message)
  }

  #openWorker(): DecodeWorker {
    const worker = this.#startWorker()
    this.#hasList = false
    worker.addEventListener('message', ({ data }: MessageEvent<FromDecodeWorker>) => {
      if (worker === this.#worker) this.#receive(data)
    })
    // The worker's file did not load, or it crashed. The next load starts a new one.
    worker.addEventListener('error', () => {
      if (worker !== this.#worker) return
      this.#closeWorker()
      this.#failed()
    })
    return worker
  }

  #closeWorker(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    // The next worker starts empty, and the list it loads may be older than the changes already applied.
    this.#subscription?.forget()
  }

  #receive(message: FromDecodeWorker): void {
    switch (message.kind) {
      case 'update':
        this.#update(message.update)
        break
      case 'listing':
        this.#setState({ listing: { columns: this.#store.columns, ...message.index } })
        break
      case 'loaded':
        this.#hasList = true
        this.#loadEnded({ phase: 'ready', size: message.size })
        this.#subscription?.startAt(message.position)
        break
      case 'failed':
        this.#failed()
        break
    }
  }

  #update(update: NodeUpdate): void {
    if (update.kind === 'columns') this.#store.replace(update.columns)
    else this.#store.setStatuses(update.indexes, update.statuses)
    if (this.#hasList) this.#nodeChanges.emit(update.tally)
  }

  #setState(changes: Partial<SourceState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#stateChanges.emit()
  }
}

function startDecodeWorker(): Worker {
  return new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
}

export function useSourceState(source: NodeSource): SourceState {
  return useSyncExternalStore(source.subscribe, () => source.state)
}
