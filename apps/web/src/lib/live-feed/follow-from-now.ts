import { listPublicDevices } from '@astropelago/contract/devices'
import { type FeedPosition, readListEtag } from '@astropelago/contract/feed'
import { fetchAnswer } from '../call.ts'
import type { FeedChanges } from './feed-changes.ts'
import type { LiveFeed } from './live-feed.ts'

/** The interval at which the page asks meanwhile. */
const retryMs = 10_000

interface FollowerFromNow {
  /** The feed tells from here on: what was asked for before has to be asked for anew. */
  readonly onStart: () => void
  readonly onChanges: (changes: FeedChanges) => void
}

/** Follows the live feed beside a list that has no position of its own in the feed's order; what is returned ends that. */
export function followFromNow(
  feed: Pick<LiveFeed, 'join'>,
  { onStart, onChanges }: FollowerFromNow,
  fetchPosition = fetchPublicPosition,
): () => void {
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isLeft = false

  const start = async () => {
    try {
      const position = await fetchPosition()
      if (isLeft) return
      subscription.startAt(position)
      onStart()
    } catch {
      if (!isLeft) retryTimer = setTimeout(() => void start(), retryMs)
    }
  }
  const subscription = feed.join({ onChanges, onReload: () => void start() })
  void start()

  return () => {
    isLeft = true
    clearTimeout(retryTimer)
    subscription.leave()
  }
}

/** The public list's position in the feed's order, without the list. */
async function fetchPublicPosition(): Promise<FeedPosition | undefined> {
  const { status, headers } = await fetchAnswer(listPublicDevices, {
    isHead: true,
    withoutCookies: true,
  })
  if (status !== 200) throw new Error(`The list was refused with ${status}`)
  return readListEtag(headers.get('etag'))
}
