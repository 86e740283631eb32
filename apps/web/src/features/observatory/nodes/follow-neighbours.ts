import type { FeedPosition } from '@astropelago/contract/feed'
import type { FeedSubscription, LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import type { ToDecodeWorker } from './decode-worker.ts'

/** How often the list is fetched while the feed is not live. */
const pollMs = 30_000
/** A neighbour that changed may have other devices. A random delay keeps pages from asking all at once. */
const askAgainMs = 10_000
/** How soon and how often a list is fetched again that came from a server that lags behind the feed. */
const oldListMs = 1000
const mostOldLists = 10

interface FollowNeighboursOptions {
  readonly post: (message: ToDecodeWorker) => void
  readonly feed: Pick<LiveFeed, 'state' | 'join'> | undefined
}

/**
 * Keeps the list of neighbours' devices up to date while there are any. It has a position of its own in the
 * feed. The worker loads it by itself when neighbours are added.
 */
export function followNeighbours({ post, feed }: FollowNeighboursOptions) {
  let poll: ReturnType<typeof setInterval> | undefined
  let subscription: FeedSubscription | undefined
  let asking: ReturnType<typeof setTimeout> | undefined
  let oldLists = 0

  const load = () => post({ kind: 'load-neighbours' })
  const start = () => {
    poll = setInterval(() => feed?.state.phase !== 'live' && !document.hidden && load(), pollMs)
    subscription = feed?.join({
      onChanges: ({ ofNeighbours, position }) => {
        if (ofNeighbours === undefined) return
        const { changed, changedDevices, removedDeviceIds, removedIds } = ofNeighbours
        post({
          kind: 'apply-neighbours',
          changes: {
            changed: changedDevices,
            removedIds: removedDeviceIds,
            removedNeighbours: removedIds,
            hasChangedNeighbours: changed.length > 0,
            position,
          },
        })
        if (changed.length === 0) return
        oldLists = 0
        askIn(Math.random() * askAgainMs)
      },
      onReload: load,
    })
  }
  const askIn = (ms: number) => {
    asking ??= setTimeout(() => {
      asking = undefined
      load()
    }, ms)
  }
  const stop = () => {
    clearTimeout(asking)
    asking = undefined
    subscription?.leave()
    subscription = undefined
    clearInterval(poll)
    poll = undefined
  }

  return {
    /** How many neighbours' devices are shown. */
    show(count: number) {
      if (count === 0) stop()
      else if (poll === undefined) start()
    },
    /** Their list has arrived. Without a position, the next poll tries again. */
    loaded(position: FeedPosition | undefined, isOld: boolean) {
      subscription?.startAt(position)
      if (!isOld || subscription === undefined || oldLists >= mostOldLists) return
      oldLists += 1
      askIn(oldListMs)
    },
    /** The list is lost, and with it the position. */
    forget: () => subscription?.forget(),
  }
}
