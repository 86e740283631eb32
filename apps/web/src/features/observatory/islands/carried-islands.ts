import { listCarriedIslands } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import { type FeedPosition, readListEtag } from '@astropelago/contract/feed'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from '../../../lib/emitter.ts'
import { fetchAnswer } from '../../../lib/fetch-answer.ts'
import type { FeedChanges } from '../../../lib/live-feed/feed-changes.ts'
import type { LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import { startPoll } from '../nodes/start-poll.ts'

/** How often the list is fetched while the feed is not live. */
const pollMs = 30_000

const Islands = v.array(listCarriedIslands.answers[200].item)

interface CarriedList {
  readonly islands: readonly IslandCard[]
  readonly position: FeedPosition | undefined
}

interface FollowOptions {
  readonly feed: Pick<LiveFeed, 'state' | 'subscribe' | 'join'> | undefined
  readonly fetchList?: () => Promise<CarriedList>
}

const changes = createEmitter()
let byId: ReadonlyMap<string, IslandCard> = new Map()
let byDevice: ReadonlyMap<string, IslandCard> = new Map()

/** The listed islands that a public device carries, by device. They are drawn at its place. */
export const carriedIslands = {
  at: (deviceId: string): IslandCard | undefined => byDevice.get(deviceId),
  deviceIds: (): readonly string[] => [...byDevice.keys()],
  subscribe: changes.on,
  /** Keeps the islands up to date until the returned function is called. */
  follow({ feed, fetchList = fetchCarried }: FollowOptions): () => void {
    const load = async () => {
      try {
        const { islands, position } = await fetchList()
        setAll(islands)
        subscription?.startAt(position)
      } catch {
        // The globe and the map work without islands. The next poll tries again.
      }
    }
    const subscription = feed?.join({ onChanges: apply, onReload: () => poll.now() })
    const poll = startPoll({ everyMs: pollMs, load })
    const followFeed = () => poll.setPaused(feed?.state.phase === 'live')
    const unfollow = feed?.subscribe(followFeed)
    followFeed()
    return () => {
      unfollow?.()
      subscription?.leave()
      poll.stop()
      setAll([])
    }
  },
}

export function useCarriedIsland(deviceId: string): IslandCard | undefined {
  return useSyncExternalStore(changes.on, () => byDevice.get(deviceId))
}

function apply({ changedIslands, removedIslandIds }: FeedChanges): void {
  const next = new Map(byId)
  for (const island of changedIslands) next.set(island.id, island)
  for (const id of removedIslandIds) next.delete(id)
  if (changedIslands.length + removedIslandIds.length > 0) setAll([...next.values()])
}

function setAll(islands: readonly IslandCard[]): void {
  const carried = islands.filter(({ deviceId }) => deviceId !== null)
  if (carried.length + byId.size === 0) return
  byId = new Map(carried.map((island) => [island.id, island]))
  // If a device carries several islands, the first one is shown.
  byDevice = new Map(carried.toReversed().map((island) => [island.deviceId ?? '', island]))
  changes.emit()
}

async function fetchCarried(): Promise<CarriedList> {
  const { status, headers, body } = await fetchAnswer(listCarriedIslands, { withoutCookies: true })
  if (status !== 200) throw new Error(`The islands were refused with ${status}`)
  return { islands: v.parse(Islands, body), position: readListEtag(headers.get('etag')) }
}
