import type { PublicDevice } from '@astropelago/contract/devices'
import { type FeedPosition, readSequence } from '@astropelago/contract/feed'
import { vi } from 'vitest'
import type { FeedChanges } from '../feed-changes.ts'
import type { TransportHandlers } from '../live-connection.ts'
import { type FeedSubscription, type FeedTransport, LiveFeed } from '../live-feed.ts'

export const silenceMs = 20_000

/** A connection that the test drives. */
export interface FakeConnection extends TransportHandlers {
  readonly since: string
  isClosed: boolean
}

export class FakePage extends EventTarget {
  hidden = false
  show(isShown: boolean): void {
    this.hidden = !isShown
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

/** A live feed with fake connections and a fake page. */
export function setUpFeed() {
  const connections: FakeConnection[] = []
  const transport: FeedTransport = {
    error: 'SSE error',
    silenceMs,
    open: (since, handlers) => {
      const connection = { since, isClosed: false, ...handlers }
      connections.push(connection)
      return () => {
        connection.isClosed = true
      }
    },
  }
  const page = new FakePage()
  // The delays are half of each bound: 0.5 s, 1 s, 2 s.
  const feed = new LiveFeed({ transport, page: () => page, random: () => 0.5 })
  const join = () => {
    const told: FeedChanges[] = []
    const onReload = vi.fn<() => void>()
    const subscription = feed.join({ onChanges: (changes) => told.push(changes), onReload })
    return { told, onReload, subscription }
  }
  const last = (): FakeConnection => {
    const connection = connections.at(-1)
    if (connection === undefined) throw new Error('No connection was opened')
    return connection
  }
  const openAt = (subscription: FeedSubscription, sequence: string) => {
    subscription.startAt(at(sequence))
    last().onOpen()
  }
  return { feed, page, connections, join, last, openAt }
}

export function at(sequence: string): FeedPosition {
  const position = readSequence(sequence)
  if (position === undefined) throw new Error(`${sequence} is no sequence`)
  return position
}
export const device = (id: string, status: PublicDevice['status'] = 'online'): PublicDevice => ({
  id,
  label: id,
  lat: 1,
  lon: 2,
  status,
  link: null,
})
export const changed = (sequence: string, payload: PublicDevice) =>
  JSON.stringify({ type: 'device', payload, sequence })
export const removed = (sequence: string, id: string) =>
  JSON.stringify({ type: 'device-removed', payload: { id }, sequence })
export const reload = JSON.stringify({ type: 'reload' })
export const gathered = () => vi.advanceTimersByTime(20)
