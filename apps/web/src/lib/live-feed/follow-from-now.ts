import { listPublicDevices } from '@astropelago/contract/devices'
import { type FeedPosition, readListEtag } from '@astropelago/contract/feed'
import { fetchAnswer } from '../fetch-answer.ts'
import type { FeedChanges } from './feed-changes.ts'
import type { LiveFeed } from './live-feed.ts'

/** The page polls at the same interval meanwhile. */
const retryMs = 10_000

interface FollowerFromNow {
  /** The feed has started: data that was fetched before has to be fetched again. */
  readonly onStart: () => void
  readonly onChanges: (changes: FeedChanges) => void
}

/**
 * Follows the live feed for a list that has no position of its own in the feed.
 * @returns stops following
 */
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

/** The feed position of the public list, fetched without the list. */
async function fetchPublicPosition(): Promise<FeedPosition | undefined> {
  const { status, headers } = await fetchAnswer(listPublicDevices, {
    isHead: true,
    withoutCookies: true,
  })
  if (status !== 200) throw new Error(`The list was refused with ${status}`)
  return readListEtag(headers.get('etag'))
}
