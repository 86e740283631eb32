import type { Joined, RoomPeople, RoomRights } from '@astropelago/contract/island-runtime'
import {
  roomEventsStored,
  roomMessageMaxBytes,
  roomMessagesShown,
} from '@astropelago/contract/limits'
import type { Moderation, RoomEvent, RoomMessage } from '@astropelago/contract/rooms'
import type { Connection, Push } from './connection.ts'
import type { Write } from './consent.ts'
import { createListeners } from './listeners.ts'
import { personOf, type Person } from './people.ts'
import { jsonOf } from './spark-error.ts'

export interface Message {
  /** Later messages have higher ones. */
  readonly id: number
  readonly value: unknown
  readonly from: Person
  readonly time: Date
  readonly isMine: boolean
}

/** `closed`: the visitor may not enter, or the page can't have it. */
export type RoomState = 'connecting' | 'live' | 'closed'

type Listen<T> = (listener: (value: T) => void) => () => void

/** Listeners get what the room has, also if they come late, then what happens. They return what stops them. */
export interface Room {
  readonly name: string
  /** Any JSON of at most 4 kB. */
  readonly send: (value: unknown) => Promise<Message>
  /** The last 200, then each new one: in order, each once. */
  readonly onMessage: Listen<Message>
  /** A moderator deleted the message with this id. */
  readonly onRemove: Listen<number>
  /** Too much was missed: all that is shown has to go, and the messages come again. */
  readonly onReset: Listen<void>
  /** Those who said who they are, and how many people there are in all. */
  readonly onPeople: Listen<{ readonly count: number; readonly people: readonly Person[] }>
  readonly onRights: Listen<RoomRights>
  readonly onState: Listen<RoomState>

  readonly remove: (messageId: number) => Promise<void>
  readonly removeAllOf: (personId: string) => Promise<void>
  /** Until `unmute`, without a number of minutes. */
  readonly mute: (personId: string, minutes?: number) => Promise<void>
  /** Keeps a visitor out of all rooms. */
  readonly block: (personId: string, minutes?: number) => Promise<void>
  readonly unmute: (personId: string) => Promise<void>
  /** Whether only moderators write. */
  readonly setReadOnly: (isOn: boolean) => Promise<void>

  /** Opens the form that reports a message to the operator. Call it in a click. */
  readonly report: (messageId: number) => void
  readonly leave: () => void
}

interface RoomOptions {
  readonly name: string
  readonly connection: Connection
  readonly write: Write
  readonly onLeave: () => void
}

/** A room, and what its owner calls when the connection has news. */
export function createRoom({ name, connection, write, onLeave }: RoomOptions) {
  let roomId: string | null = null
  /** The number of the last event; undefined before the room is joined. */
  let last: number | undefined
  /** Events that came before the answer to `join`. Undefined once it is there. */
  let early: RoomEvent[] | undefined
  /** The last messages that listeners got, by number. */
  const kept = new Map<number, RoomMessage>()
  let attendance: RoomPeople | undefined
  let joinedAs: string | undefined
  let rights: RoomRights | undefined
  let state: RoomState = 'connecting'

  const messages = createListeners(() =>
    [...kept.values()].slice(-roomMessagesShown).map(messageOf),
  )
  const removals = createListeners<number>()
  const resets = createListeners<void>()
  const people = createListeners(() => (attendance === undefined ? [] : [attendance]))
  const rightsListeners = createListeners(() => (rights === undefined ? [] : [rights]))
  const states = createListeners(() => [state])

  function messageOf({ n, value, from, atMs }: RoomMessage): Message {
    const isMine = from !== null && from.id === connection.hello()?.user?.id
    return { id: n, value, from: personOf(from), time: new Date(atMs), isMine }
  }

  const setState = (next: RoomState) => {
    if (state === next) return
    state = next
    states.tell(next)
  }

  const hasMessageOf = (ids: readonly (string | undefined)[]) =>
    [...kept.values()].some(({ from }) => from !== null && ids.includes(from.id))

  const join = () => {
    early = []
    const userId = connection.hello()?.user?.id
    // Whose the messages are has changed, so they come again.
    const isOther = userId !== joinedAs && hasMessageOf([userId, joinedAs])
    joinedAs = userId
    const after = last === undefined || isOther ? {} : { after: last }
    connection.callOnce({ call: 'join', room: name, ...after }, enter, () => setState('closed'))
  }

  const enter = (joined: Joined) => {
    if (joined.isReset && last !== undefined) {
      kept.clear()
      resets.tell()
    }
    if (joined.isReset) last = 0
    roomId = joined.roomId
    const waiting = early ?? []
    early = undefined
    apply(joined.events)
    last = Math.max(last ?? 0, joined.last)
    setPeople(joined.attendance)
    setRights(joined.rights)
    setState('live')
    receive(waiting)
  }

  const receive = (events: readonly RoomEvent[]) => {
    if (early !== undefined) early.push(...events)
    // Something is missing. The answer has these events as well.
    else if ((events[0]?.n ?? 0) > (last ?? 0) + 1) join()
    else apply(events)
  }

  const apply = (events: readonly RoomEvent[]) => {
    for (const event of events) {
      if (event.n <= (last ?? 0)) continue
      last = event.n
      if (event.kind === 'message') {
        kept.set(event.n, event)
        if (kept.size > roomEventsStored) kept.delete(kept.keys().next().value ?? 0)
        messages.tell(messageOf(event))
      } else if (event.kind === 'delete') removeFromPage(event.message)
      else if (event.kind === 'erase') {
        for (const { n, from } of kept.values()) if (from?.id === event.visitor) removeFromPage(n)
      }
    }
  }

  const removeFromPage = (n: number) => {
    kept.delete(n)
    removals.tell(n)
  }

  const shutOut = () => {
    kept.clear()
    last = undefined
    early = undefined
    resets.tell()
    setState('closed')
  }

  const setPeople = (next: RoomPeople) => {
    attendance = { count: next.count, people: next.people }
    people.tell(attendance)
  }

  const setRights = ({ mayWrite, isModerator }: RoomRights) => {
    rights = { mayWrite, isModerator }
    rightsListeners.tell(rights)
  }

  const moderate = async (action: Moderation) => {
    await connection.call<'moderate'>({ call: 'moderate', room: name, action })
  }
  const silence = (kind: 'mute' | 'block', visitor: string, minutes: number | undefined) =>
    moderate({ kind, visitor, ...(minutes !== undefined && { minutes }) })

  const room: Room = Object.freeze({
    name,
    send: async (value: unknown) => {
      // Numbers of 32 bits, since `crypto.randomUUID` needs https.
      const clientId = crypto.getRandomValues(new Uint32Array(4)).join('-')
      const json = jsonOf(value, roomMessageMaxBytes, 'A message')
      return messageOf(await write<'send'>({ call: 'send', room: name, clientId, value: json }))
    },
    onMessage: messages.add,
    onRemove: removals.add,
    onReset: resets.add,
    onPeople: people.add,
    onRights: rightsListeners.add,
    onState: states.add,
    remove: (message: number) => moderate({ kind: 'delete', message }),
    removeAllOf: (visitor: string) => moderate({ kind: 'erase', visitor }),
    mute: (visitor: string, minutes?: number) => silence('mute', visitor, minutes),
    block: (visitor: string, minutes?: number) => silence('block', visitor, minutes),
    unmute: (visitor: string) => moderate({ kind: 'unmute', visitor }),
    setReadOnly: (isOn: boolean) => moderate({ kind: 'read-only', isOn }),
    report: (messageId: number) => {
      const known = connection.hello()
      // A preview is on no site.
      if (roomId === null || known === undefined || known.site.url === '') return
      const { island, site } = known
      window.open(
        `${site.url}/islands/${island.slug}?report=${roomId}-${messageId}`,
        '_blank',
        'noopener',
      )
    },
    leave: onLeave,
  })

  return {
    room,
    join,
    lose: () => setState('connecting'),
    close: () => setState('closed'),
    push: (push: Extract<Push, { readonly room: string }>) => {
      if (push.push === 'events') {
        roomId = push.roomId
        receive(push.events)
      } else if (push.push === 'reset') {
        early = undefined
        enter(push.joined)
      } else if (push.push === 'closed') shutOut()
      else if (push.push === 'people') setPeople(push)
      else setRights(push)
    },
  }
}
