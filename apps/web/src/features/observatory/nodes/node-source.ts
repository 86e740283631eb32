import type { PublicDevice } from '@astropelago/contract/devices'
import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../../lib/emitter.ts'
import type { FeedSubscription, LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import type { FromDecodeWorker, ToDecodeWorker } from './decode-worker.ts'
import type { ListSize } from './fetch-rows.ts'
import type { Listing } from './index-listing.ts'
import { followNeighbours } from './follow-neighbours.ts'
import type { NodeNeighbour } from './node-columns.ts'
import type { WritableNodeStore } from './node-store.ts'
import type { ChangeTally } from './node-table.ts'
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

interface NodeSourceOptions {
  readonly store: WritableNodeStore
  readonly startWorker?: () => DecodeWorker
  readonly page?: Parameters<typeof startPoll>[0]['page']
  readonly feed?: Pick<LiveFeed, 'state' | 'subscribe' | 'join'> | undefined
}

export type NodeSource = ReturnType<typeof createNodeSource>

/** Loads the list once and follows the live feed. While the feed is not live, it polls the list. */
export function createNodeSource(options: NodeSourceOptions) {
  const { store, startWorker = startDecodeWorker, page, feed } = options
  const stateChanges = createEmitter()
  const nodeChanges = createEmitter<ChangeTally>()
  /** What every new worker is sent first. */
  const standing = new Map<'private' | 'carriers' | 'neighbours', ToDecodeWorker>()
  let state: SourceState = { phase: 'loading', isBusy: false, size: undefined, listing: undefined }
  let poll: Poll | undefined
  let subscription: FeedSubscription | undefined
  let unfollowFeed: (() => void) | undefined
  let worker: DecodeWorker | undefined
  /** Whether the current worker has sent a list. Updates before that are not reported as changes. */
  let hasList = false
  let endLoad: (() => void) | undefined
  let neighbourCount = 0

  const setState = (changes: Partial<SourceState>) => {
    state = { ...state, ...changes }
    stateChanges.emit()
  }
  const loadEnded = (changes: Partial<SourceState>) => {
    setState({ ...changes, isBusy: false })
    endLoad?.()
    endLoad = undefined
  }
  const failed = () => loadEnded({ phase: state.size === undefined ? 'failed' : 'stale' })
  const closeWorker = () => {
    worker?.terminate()
    worker = undefined
    // The next worker starts empty, and the list it loads may be older than the changes already applied.
    subscription?.forget()
    neighbours.forget()
  }
  const receive = (message: FromDecodeWorker) => {
    switch (message.kind) {
      case 'update': {
        const { update } = message
        if (update.kind === 'columns') store.replace(update.columns)
        else store.setStatuses(update.indexes, update.statuses)
        if (hasList) nodeChanges.emit(update.tally)
        break
      }
      case 'listing':
        setState({ listing: { columns: store.columns, ...message.index } })
        break
      case 'loaded':
        hasList = true
        loadEnded({ phase: 'ready', size: message.size })
        subscription?.startAt(message.position)
        break
      case 'failed':
        failed()
        break
      case 'loaded-neighbours':
        neighbours.loaded(message.position, message.isOld)
        break
      case 'failed-neighbours':
        neighbours.loaded(undefined, false)
        break
    }
  }
  const openWorker = () => {
    const opened = startWorker()
    hasList = false
    opened.addEventListener('message', ({ data }: MessageEvent<FromDecodeWorker>) => {
      if (opened === worker) receive(data)
    })
    // The worker's file did not load, or it crashed. The next load starts a new one.
    opened.addEventListener('error', () => {
      if (opened !== worker) return
      closeWorker()
      failed()
    })
    for (const message of standing.values()) opened.postMessage(message)
    return opened
  }
  const post = (message: ToDecodeWorker) => {
    worker ??= openWorker()
    worker.postMessage(message)
  }
  const postToEach = (
    message: Extract<ToDecodeWorker, { kind: 'private' | 'carriers' | 'neighbours' }>,
  ) => {
    standing.set(message.kind, message)
    worker?.postMessage(message)
  }
  const load = () =>
    new Promise<void>((resolve) => {
      endLoad = resolve
      setState({ isBusy: true })
      post({ kind: 'load' })
    })
  const neighbours = followNeighbours({ post, feed })
  const followFeed = () => poll?.setPaused(feed?.state.phase === 'live')

  return {
    get state() {
      return state
    },
    subscribe: stateChanges.on,
    onChanges: nodeChanges.on,
    start() {
      if (poll !== undefined) return
      poll = startPoll({ everyMs: pollMs, load, page })
      subscription = feed?.join({
        onChanges: ({ changed, removedIds, position }) =>
          post({ kind: 'apply', changed, removedIds, position }),
        onReload: () => poll?.now(),
      })
      neighbours.show(neighbourCount)
      unfollowFeed = feed?.subscribe(followFeed)
      followFeed()
    },
    stop() {
      unfollowFeed?.()
      subscription?.leave()
      subscription = undefined
      poll?.stop()
      poll = undefined
      neighbours.show(0)
      closeWorker()
      loadEnded({})
    },
    retry: () => poll?.now(),
    setPrivate: (devices: readonly PublicDevice[]) => postToEach({ kind: 'private', devices }),
    setCarriers: (ids: readonly string[]) => postToEach({ kind: 'carriers', ids }),
    /** Whose devices to show besides this installation's. */
    setNeighbours: (shown: readonly NodeNeighbour[]) => {
      if (shown.length === 0 && !standing.has('neighbours')) return
      postToEach({ kind: 'neighbours', neighbours: shown })
      neighbourCount = shown.length
      neighbours.show(neighbourCount)
    },
  }
}

function startDecodeWorker(): Worker {
  return new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
}

export function useSourceState(source: NodeSource): SourceState {
  return useSyncExternalStore(source.subscribe, () => source.state)
}
