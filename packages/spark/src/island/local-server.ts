import type {
  Joined,
  RuntimeAnswer,
  RuntimeCall,
  ListedEntries,
  ValueEntry,
  ValueStore,
} from '@astropelago/contract/island-runtime'
import { roomMessagesShown } from '@astropelago/contract/limits'
import type { Moderation, RoomEvent, RoomMessage } from '@astropelago/contract/rooms'
import type { OpenWire } from './connection.ts'

/** The only visitor, who may do everything. */
const you = { id: 'you', name: 'you' }

interface LocalRoom {
  last: number
  events: RoomEvent[]
  /** By their clients' ids. */
  readonly sent: Map<string, RoomMessage>
}

/** Stands in for the server: the same answers, for one visitor, until the page closes. */
export function localServer(): OpenWire {
  const stores: Readonly<Record<ValueStore, Map<string, string>>> = {
    kv: new Map(),
    shared: new Map(),
    host: new Map(),
  }
  const rooms = new Map<string, LocalRoom>()

  const keysOf = (store: ValueStore, prefix = '') =>
    [...stores[store].keys()].filter((key) => key.startsWith(prefix)).toSorted()
  const entryOf = (store: ValueStore, key: string): ValueEntry => ({
    key,
    value: stores[store].get(key) ?? null,
    author: you,
  })
  const entriesOf = (store: ValueStore, prefix: string): ListedEntries => ({
    entries: keysOf(store, prefix).map((key) => entryOf(store, key)),
    isWhole: true,
  })
  const roomOf = (name: string): LocalRoom => {
    const room = rooms.get(name) ?? { last: 0, events: [], sent: new Map() }
    rooms.set(name, room)
    return room
  }

  return ({ onMessage }) => {
    const watched = new Set<string>()
    const joined = new Set<string>()

    const tell = (answer: RuntimeAnswer) => {
      const text = JSON.stringify(answer)
      setTimeout(() => onMessage(text))
    }
    const change = (store: ValueStore, key: string, value: string | null) => {
      if (value === null) stores[store].delete(key)
      else stores[store].set(key, value)
      const isWatched = [...watched].some((watch) => `${store} ${key}`.startsWith(watch))
      if (isWatched) tell({ push: 'changed', store, entries: [entryOf(store, key)] })
      return null
    }
    const add = <E extends RoomEvent>(name: string, event: E): E => {
      const room = roomOf(name)
      room.last = event.n
      room.events.push(event)
      if (joined.has(name)) tell({ push: 'events', room: name, roomId: 'preview', events: [event] })
      return event
    }
    const join = (name: string, after: number | undefined): Joined => {
      joined.add(name)
      const { last, events } = roomOf(name)
      const messages = events.filter(({ kind }) => kind === 'message').slice(-roomMessagesShown)
      return {
        roomId: 'preview',
        last,
        isReset: after === undefined,
        events: after === undefined ? messages : events.filter(({ n }) => n > after),
        rights: { mayWrite: true, isModerator: true },
        attendance: { count: 1, people: [you] },
      }
    }
    const send = ({ room, clientId, value }: Extract<RuntimeCall, { call: 'send' }>) => {
      const { last, sent } = roomOf(room)
      const known = sent.get(clientId)
      if (known !== undefined) return known
      const message = { n: last + 1, atMs: Date.now(), from: you, value: JSON.parse(value) }
      const event = add(room, { kind: 'message', ...message })
      sent.set(clientId, event)
      return event
    }
    const moderate = (name: string, action: Moderation) => {
      // There is nobody else to mute or to block.
      if (action.kind !== 'delete' && action.kind !== 'erase') return null
      const room = roomOf(name)
      const isGone = (event: RoomEvent) =>
        event.kind === 'message' && (action.kind === 'erase' || event.n === action.message)
      room.events = room.events.filter((event) => !isGone(event))
      add(name, { ...action, n: room.last + 1, atMs: Date.now() })
      return null
    }
    const resultOf = (call: RuntimeCall): unknown => {
      switch (call.call) {
        case 'user':
          return { ...you, isHost: true }
        case 'keys':
          return keysOf(call.store)
        case 'get':
          return entryOf(call.store, call.key).value
        case 'set':
          return change(call.store, call.key, call.value)
        case 'delete':
          return change(call.store, call.key, null)
        case 'watch':
          watched.add(`${call.store} ${call.prefix}`)
          return entriesOf(call.store, call.prefix)
        case 'entries':
          return entriesOf(call.store, call.prefix)
        case 'unwatch':
          return watched.delete(`${call.store} ${call.prefix}`)
        case 'join':
          return join(call.room, call.after)
        case 'leave':
          return joined.delete(call.room)
        case 'send':
          return send(call)
        case 'moderate':
          return moderate(call.room, call.action)
        default:
          return undefined
      }
    }

    tell({
      push: 'hello',
      user: { ...you, isHost: true },
      island: { slug: 'preview', name: 'Preview' },
      site: { url: '', name: 'Preview' },
    })
    return {
      send: (text) => {
        const call: RuntimeCall = JSON.parse(text)
        const { id } = call
        if (call.call === 'llm') {
          const message = 'There is no language model in the preview.'
          tell({ id, error: { code: 'llm_off', message } })
        } else tell({ id, result: resultOf(call) })
      },
      close: () => {},
    }
  }
}
