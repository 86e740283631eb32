import { LiveSetting } from '@astropelago/contract/build-settings'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { eventStreamTransport } from './event-stream-transport.ts'
import { type FeedState, LiveFeed } from './live-feed.ts'
import { webSocketTransport } from './web-socket-transport.ts'

const Environment = v.object({ VITE_LIVE: LiveSetting })

const { VITE_LIVE } = v.parse(Environment, import.meta.env)

/** The page's connection to the live feed; undefined in builds that only poll. */
export const pageFeed: LiveFeed | undefined =
  VITE_LIVE === 'off'
    ? undefined
    : new LiveFeed({
        transport: VITE_LIVE === 'sse' ? eventStreamTransport : webSocketTransport,
        page: () => document,
      })

const subscribe = (listener: () => void) => pageFeed?.subscribe(listener) ?? (() => undefined)

/** The feed's current state; undefined in builds that only poll. */
export function useFeedState(): FeedState | undefined {
  return useSyncExternalStore(subscribe, () => pageFeed?.state)
}
