import { IslandMessage, OwnMessage, streamIsland, streamOwn } from '@astropelago/contract/streams'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { routeUrl } from '../fetch-answer.ts'
import { applyMessage } from './apply-message.ts'
import { MessageStream } from './message-stream.ts'

const ownStream = new MessageStream<OwnMessage>({
  url: routeUrl(streamOwn, {}),
  schema: OwnMessage,
})

/**
 * Keeps the user's own devices and islands up to date while the component is mounted. Use it only for
 * signed-in users.
 */
export function useOwnStream(isOn = true): void {
  const client = useQueryClient()
  useEffect(
    () => (isOn ? ownStream.read((message) => void applyMessage(client, message)) : undefined),
    [client, isOn],
  )
}

/** Keeps an island up to date while the component is mounted. Without an id it waits. */
export function useIslandStream(islandId: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (islandId === undefined) return undefined
    const url = routeUrl(streamIsland, { params: { id: islandId } })
    const stream = new MessageStream<IslandMessage>({ url, schema: IslandMessage })
    return stream.read((message) => void applyMessage(client, message))
  }, [client, islandId])
}
