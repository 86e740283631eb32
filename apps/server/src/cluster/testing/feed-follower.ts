import { setTimeout as wait } from 'node:timers/promises'
import { type FeedMessage, readListEtag, sequenceAt } from '@astropelago/contract/feed'
import { PublicDevice } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { readEvents } from '../../features/feed/testing/test-reader.ts'

const retryMs = 50

/** Follows the public devices as a browser does, from whichever server answers. */
export interface FeedFollower {
  readonly devices: () => ReadonlyMap<string, PublicDevice>
  /** Devices that messages were about. */
  readonly islands: () => ReadonlyMap<string, IslandCard>
  /** The sequences of all messages, in order of arrival. */
  readonly sequences: () => readonly string[]
  /** How often it had to load the list, including the first time. */
  readonly loads: () => number
  readonly stop: () => Promise<void>
}

/** @param nextUrl the server to connect to, asked for each connection */
export function followFeed(nextUrl: () => string): FeedFollower {
  const devices = new Map<string, PublicDevice>()
  const islands = new Map<string, IslandCard>()
  const sequences: string[] = []
  const ending = new AbortController()
  let loads = 0
  let since: string | undefined

  const load = async () => {
    const response = await fetch(`${nextUrl()}/api/devices`, { signal: ending.signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const list = v.parse(v.array(PublicDevice), await response.json())
    const position = readListEtag(response.headers.get('etag'))
    if (position === undefined) throw new Error('the list has no sequence')
    loads += 1
    devices.clear()
    for (const device of list) devices.set(device.id, device)
    since = sequenceAt(position)
  }
  const take = (message: FeedMessage) => {
    if (Array.isArray(message)) return
    if (message.type === 'reload') {
      since = undefined
      return
    }
    sequences.push(message.sequence)
    since = message.sequence
    switch (message.type) {
      case 'device':
        devices.set(message.payload.id, message.payload)
        break
      case 'device-removed':
        devices.delete(message.payload.id)
        break
      case 'island':
        islands.set(message.payload.id, message.payload)
        break
      case 'island-removed':
        islands.delete(message.payload.id)
        break
      default:
    }
  }
  const follow = async () => {
    if (since === undefined) await load()
    const url = `${nextUrl()}/api/devices/stream?since=${since ?? ''}`
    const { body, ok } = await fetch(url, { signal: ending.signal })
    if (!ok || body === null) throw new Error('no feed')
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const end = text.lastIndexOf('\n\n')
      if (end === -1) continue
      for (const { message } of readEvents(text.slice(0, end + 2))) take(message)
      text = text.slice(end + 2)
    }
  }
  const run = async () => {
    while (!ending.signal.aborted) {
      await follow().catch(() => undefined)
      await wait(retryMs)
    }
  }
  const running = run()
  return {
    devices: () => devices,
    islands: () => islands,
    sequences: () => sequences,
    loads: () => loads,
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
