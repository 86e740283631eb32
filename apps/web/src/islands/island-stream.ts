import { IslandMessage, streamIsland } from '@astropelago/contract/streams'
import { useEffect, useEffectEvent } from 'react'
import { routeUrl } from '../lib/call.ts'
import { MessageStream } from '../lib/live-feed/message-stream.ts'

/**
 * Calls `onMessage` with events on an island while the component is mounted. Without an id it waits.
 * `reload` comes first, and again whenever messages may have been missed.
 */
export function useIslandStream(
  islandId: string | undefined,
  onMessage: (message: IslandMessage) => void,
): void {
  const onTold = useEffectEvent(onMessage)
  useEffect(() => {
    if (islandId === undefined) return undefined
    const url = routeUrl(streamIsland, { params: { id: islandId } })
    const stream = new MessageStream<IslandMessage>({ url, schema: IslandMessage })
    return stream.read((message) => onTold(message))
  }, [islandId])
}
