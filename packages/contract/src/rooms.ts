import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { roomMessagesShown, roomNameMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'

const nameMessage = `A room’s name has 1 to ${roomNameMaxLength} letters, digits, dots, underscores and hyphens.`
/** Rooms of one island are told apart by their names. */
export const RoomName = v.pipe(
  v.string(nameMessage),
  v.regex(new RegExp(`^[A-Za-z0-9._-]{1,${roomNameMaxLength}}$`), nameMessage),
  v.notValues(['.', '..'], 'A room can’t be . or ..'),
)

/** What an island knows a visitor by, who agreed to that: no other island has the same id. */
export const VisitorId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/** Null for whoever did not say who they are. */
export const Author = v.nullable(v.object({ id: v.string(), name: v.string() }))
export type Author = v.InferOutput<typeof Author>

/** What PostgreSQL’s integers hold. */
const eventNumberMax = 2 ** 31 - 1
const EventNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(eventNumberMax))
const minutesMax = 60 * 24 * 365

/** What a moderator does in a room. A muted visitor only reads; a blocked one is kept out of all rooms. */
export const Moderation = v.variant('kind', [
  v.strictObject({ kind: v.literal('delete'), message: EventNumber }),
  /** Deletes all messages of a visitor in the room. */
  v.strictObject({ kind: v.literal('erase'), visitor: VisitorId }),
  v.strictObject({
    kind: v.picklist(['mute', 'block']),
    visitor: VisitorId,
    /** Until it is taken back, if it is left out. */
    minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(minutesMax))),
  }),
  v.strictObject({ kind: v.literal('unmute'), visitor: VisitorId }),
  /** Whether only moderators write. */
  v.strictObject({ kind: v.literal('read-only'), isOn: v.boolean() }),
])
export type Moderation = v.InferOutput<typeof Moderation>

/**
 * One of a room's events, whose numbers have no gaps: a message, or what a moderator did. `unmute` also ends
 * a block. Times are in ms since 1970.
 */
export const RoomEvent = v.variant('kind', [
  v.object({
    kind: v.literal('message'),
    n: v.number(),
    atMs: v.number(),
    from: Author,
    /** Any JSON. */
    value: v.unknown(),
  }),
  v.object({ kind: v.literal('delete'), n: v.number(), atMs: v.number(), message: v.number() }),
  v.object({ kind: v.literal('erase'), n: v.number(), atMs: v.number(), visitor: v.string() }),
  v.object({
    kind: v.picklist(['mute', 'block']),
    n: v.number(),
    atMs: v.number(),
    visitor: v.string(),
    /** Null until it is taken back. */
    untilMs: v.nullable(v.number()),
  }),
  v.object({ kind: v.literal('unmute'), n: v.number(), atMs: v.number(), visitor: v.string() }),
  v.object({ kind: v.literal('read-only'), n: v.number(), atMs: v.number(), isOn: v.boolean() }),
])
export type RoomEvent = v.InferOutput<typeof RoomEvent>
export type RoomMessage = Extract<RoomEvent, { kind: 'message' }>

/** A room as its moderators see it. Times are ISO 8601 in UTC. */
export const Room = v.object({
  name: v.string(),
  /** When something last happened there. */
  changedAt: v.string(),
  /** Messages that are stored; of one room alone, those that are shown. */
  messageCount: v.number(),
  peopleCount: v.number(),
  isReadOnly: v.boolean(),
})
export type Room = v.InferOutput<typeof Room>

export const RoomContents = v.object({
  ...Room.entries,
  /** The oldest first, at most `roomMessagesShown`. */
  messages: v.array(
    v.object({
      n: v.number(),
      at: v.string(),
      from: Author,
      /** The host can’t be muted or blocked. */
      isByHost: v.boolean(),
      /** What it says, if it is a text or an object with one; else its JSON. */
      text: v.string(),
    }),
  ),
  /** Visitors who may not write in any room of the island. */
  silenced: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      kind: v.picklist(['mute', 'block']),
      /** Null until it is taken back. */
      until: v.nullable(v.string()),
    }),
  ),
})
export type RoomContents = v.InferOutput<typeof RoomContents>

const RoomParams = v.strictObject({ ...IslandId.entries, room: RoomName })

export const listRooms = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/rooms',
  summary: 'The rooms of the user’s own island, the last changed first',
  tag: 'Rooms',
  access: 'user',
  params: IslandId,
  answers: { 200: v.array(Room) },
  errors: ['signed_out', 'not_found'],
})

export const readRoom = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/rooms/:room',
  summary: `The last ${roomMessagesShown} messages of a room, and who may not write`,
  tag: 'Rooms',
  access: 'user',
  params: RoomParams,
  answers: { 200: RoomContents },
  errors: ['signed_out', 'not_found', 'invalid_input'],
})

export const moderateRoom = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/rooms/:room/moderation',
  summary: 'Delete messages of a room, mute or block a visitor, or let only moderators write',
  tag: 'Rooms',
  access: 'user',
  params: RoomParams,
  body: Moderation,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})

export const listRoomsAsOperator = defineRoute({
  method: 'GET',
  path: '/api/operator/islands/:id/rooms',
  summary: 'The rooms of any island, the last changed first',
  tag: 'Operators',
  access: 'operator',
  params: IslandId,
  answers: { 200: v.array(Room) },
  errors: ['not_found'],
})

export const readRoomAsOperator = defineRoute({
  method: 'GET',
  path: '/api/operator/islands/:id/rooms/:room',
  summary: `The last ${roomMessagesShown} messages of any room, and who may not write`,
  tag: 'Operators',
  access: 'operator',
  params: RoomParams,
  answers: { 200: RoomContents },
  errors: ['not_found', 'invalid_input'],
})

export const moderateRoomAsOperator = defineRoute({
  method: 'POST',
  path: '/api/operator/islands/:id/rooms/:room/moderation',
  summary: 'Moderate any room',
  tag: 'Operators',
  access: 'operator',
  params: RoomParams,
  body: Moderation,
  answers: { 204: null },
  errors: ['not_found', 'invalid_input'],
})

export const readAttendance = defineRoute({
  method: 'GET',
  path: '/api/islands/attendance',
  summary:
    'How many people are in rooms now, of islands in the directory and the caller’s own and joined ones',
  tag: 'Rooms',
  access: 'anyone',
  /** By island id. Islands with nobody are left out. */
  answers: { 200: v.record(v.string(), v.number()) },
  errors: ['rate_limited'],
})
