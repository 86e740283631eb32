import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { useEffect, useEffectEvent } from 'react'
import { routeUrl } from './call.ts'
import { MessageStream } from './live-feed/message-stream.ts'

const ownStream = new MessageStream<OwnMessage>({
  url: routeUrl(streamOwn, {}),
  schema: OwnMessage,
})

/**
 * Calls `onMessage` with events on the user's devices and islands while the component is mounted and
 * `isOn`. Use it only for signed-in users. `reload` comes first, and again whenever messages may have been
 * missed.
 */
export function useOwnStream(onMessage: (message: OwnMessage) => void, isOn = true): void {
  const onTold = useEffectEvent(onMessage)
  useEffect(() => (isOn ? ownStream.read((message) => onTold(message)) : undefined), [isOn])
}
