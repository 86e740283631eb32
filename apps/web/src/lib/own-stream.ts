import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { useEffect, useEffectEvent } from 'react'
import { routeUrl } from './call.ts'
import { MessageStream } from './live-feed/message-stream.ts'

const ownStream = new MessageStream<OwnMessage>({
  url: routeUrl(streamOwn, {}),
  schema: OwnMessage,
})

/**
 * Tells what happens on one's own devices and islands, for as long as the component is there and `isOn`; to
 * be used where somebody is signed in. `reload` comes first, and whenever something may have been missed.
 */
export function useOwnStream(onMessage: (message: OwnMessage) => void, isOn = true): void {
  const onTold = useEffectEvent(onMessage)
  useEffect(() => (isOn ? ownStream.read((message) => onTold(message)) : undefined), [isOn])
}
