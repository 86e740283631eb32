import { listCarriedIslands } from '@astropelago/contract/island-directory'
import { safeLink } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import type { NeighbourIsland } from '@astropelago/contract/neighbours'
import { type FeedPosition, readListEtag } from '@astropelago/contract/feed'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from '../../../lib/emitter.ts'
import { fetchAnswer } from '../../../lib/fetch-answer.ts'
import type { FeedChanges } from '../../../lib/live-feed/feed-changes.ts'
import type { LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import { type IslandState, islandState } from '../../../islands/island-words.ts'
import { paths } from '../../../paths.ts'
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

/** An island at the place of a device, as the globe, the map and the list show it. */
export interface CarriedIsland {
  readonly name: string
  readonly isOpen: boolean
  readonly state: IslandState
  /** Its page. */
  readonly href: string
  /** Whether it is a neighbour's, whose page is at another installation. */
  readonly isElsewhere: boolean
}

const changes = createEmitter()
let byId: ReadonlyMap<string, IslandCard> = new Map()
let ofNeighbours: readonly (readonly [deviceId: string, CarriedIsland])[] = []
let byDevice: ReadonlyMap<string, CarriedIsland> = new Map()

/** The listed islands that a public device carries, by device. They are drawn at its place. */
export const carriedIslands = {
  at: (deviceId: string): CarriedIsland | undefined => byDevice.get(deviceId),
  deviceIds: (): readonly string[] => [...byDevice.keys()],
  subscribe: changes.on,
  /** Shows these islands of neighbours, instead of those before. */
  showNeighbours(islands: readonly NeighbourIsland[]): void {
    if (islands.length + ofNeighbours.length === 0) return
    ofNeighbours = islands.flatMap(({ deviceId, name, isOpen, url }) => {
      const href = safeLink(url)
      if (deviceId === null || href === undefined) return []
      const state = isOpen ? 'open' : 'closed'
      return [[deviceId, { name, isOpen, state, href, isElsewhere: true }] as const]
    })
    place()
  },
  /** Keeps this installation's islands up to date until the returned function is called. */
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

export function useCarriedIsland(deviceId: string): CarriedIsland | undefined {
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
  place()
}

function place(): void {
  const own = Array.from(byId.values(), (island) => {
    const { deviceId, name, slug, isOpen } = island
    const state = islandState(island)
    return [
      deviceId ?? '',
      { name, isOpen, state, href: paths.island(slug), isElsewhere: false },
    ] as const
  })
  // If a device carries several islands, the first one is shown.
  byDevice = new Map([...own, ...ofNeighbours].toReversed())
  changes.emit()
}

async function fetchCarried(): Promise<CarriedList> {
  const { status, headers, body } = await fetchAnswer(listCarriedIslands, { withoutCookies: true })
  if (status !== 200) throw new Error(`The islands were refused with ${status}`)
  return { islands: v.parse(Islands, body), position: readListEtag(headers.get('etag')) }
}
