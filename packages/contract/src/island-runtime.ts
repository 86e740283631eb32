import * as v from 'valibot'
import { entryKeyMaxBytes, islandValueMaxBytes, roomMessageMaxBytes } from './limits.ts'
import { type Author, Moderation, type RoomEvent, type RoomMessage, RoomName } from './rooms.ts'
import { EntryKey, JsonText, type LlmAnswer, LlmRequest, StorableText } from './spark.ts'

export {
  agreedChannel,
  agreedPath,
  runtimeCloseCodes,
  runtimeScriptPath,
  runtimeSocketPath,
} from './runtime-paths.ts'

/**
 * `kv` holds each visitor’s own values, `shared` those that everybody who enters reads and signed-in visitors
 * write, `host` those that the host writes and everybody who enters reads.
 */
export const ValueStore = v.picklist(['kv', 'shared', 'host'])
export type ValueStore = v.InferOutput<typeof ValueStore>

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Prefix = v.pipe(v.string(), v.maxBytes(entryKeyMaxBytes), StorableText)
const RoomPosition = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Pages number their calls. The answer has the same `id`. */
export const RuntimeCall = v.variant('call', [
  v.strictObject({ id: Id, call: v.literal('user') }),
  v.strictObject({ id: Id, call: v.literal('keys'), store: ValueStore }),
  v.strictObject({ id: Id, call: v.literal('get'), store: ValueStore, key: EntryKey }),
  v.strictObject({
    id: Id,
    call: v.literal('set'),
    store: ValueStore,
    key: EntryKey,
    /** JSON as text. */
    value: JsonText(islandValueMaxBytes),
  }),
  v.strictObject({ id: Id, call: v.literal('delete'), store: ValueStore, key: EntryKey }),
  v.strictObject({ id: Id, call: v.literal('entries'), store: ValueStore, prefix: Prefix }),
  /** Answered with the entries. Changes follow as `changed`, until `unwatch`. */
  v.strictObject({ id: Id, call: v.literal('watch'), store: ValueStore, prefix: Prefix }),
  v.strictObject({ id: Id, call: v.literal('unwatch'), store: ValueStore, prefix: Prefix }),
  /** Answered with `Joined`. Its events and people follow, until `leave`. */
  v.strictObject({
    id: Id,
    call: v.literal('join'),
    room: RoomName,
    /** The number of the last event that the page has. */
    after: v.optional(RoomPosition),
  }),
  v.strictObject({ id: Id, call: v.literal('leave'), room: RoomName }),
  v.strictObject({
    id: Id,
    call: v.literal('send'),
    room: RoomName,
    /** The message’s own, so that one that is sent again is stored once. */
    clientId: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)),
    value: JsonText(roomMessageMaxBytes),
  }),
  v.strictObject({ id: Id, call: v.literal('moderate'), room: RoomName, action: Moderation }),
  v.strictObject({ id: Id, call: v.literal('llm'), request: LlmRequest }),
])
export type RuntimeCall = v.InferOutput<typeof RuntimeCall>

/** Who the visitor is, for those who agreed that the island learns it. */
export interface RuntimeUser {
  /** The same at each visit, and different on each island. */
  readonly id: string
  readonly name: string
  readonly isHost: boolean
}

export interface ValueEntry {
  readonly key: string
  /** JSON as text; null once it is deleted. */
  readonly value: string | null
  readonly author: Author
}

export interface ListedEntries {
  readonly entries: readonly ValueEntry[]
  /** False if there are too many for one answer. These are the last changed ones. */
  readonly isWhole: boolean
}

export interface RoomRights {
  readonly mayWrite: boolean
  readonly isModerator: boolean
}

export interface RoomPeople {
  readonly count: number
  /** Those who said who they are, at most `roomPeopleNamed`. */
  readonly people: readonly NonNullable<Author>[]
}

export interface Joined {
  /** With a number of a message, what reports name the message by: `<roomId>-<n>`. Null until somebody wrote. */
  readonly roomId: string | null
  /** The number of the last event; 0 if there is none. */
  readonly last: number
  /** Whether `events` are the last messages, and not what came after `after`. */
  readonly isReset: boolean
  readonly events: readonly RoomEvent[]
  readonly rights: RoomRights
  readonly attendance: RoomPeople
}

export interface RuntimeError {
  /** An error code of the API, or one of the runtime’s own. */
  readonly code: string
  readonly message: string
}

/** The results of calls, by name. */
export interface RuntimeResults {
  readonly user: RuntimeUser | null
  readonly keys: readonly string[]
  /** JSON as text; null if the key is absent. */
  readonly get: string | null
  readonly set: null
  readonly delete: null
  readonly entries: ListedEntries
  readonly watch: ListedEntries
  readonly unwatch: null
  readonly join: Joined
  readonly leave: null
  readonly send: RoomMessage
  readonly moderate: null
  readonly llm: LlmAnswer
}

/** What the server sends. */
export type RuntimeAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: RuntimeError }
  /** The first message on each connection. */
  | {
      readonly push: 'hello'
      readonly user: RuntimeUser | null
      readonly island: { readonly slug: string; readonly name: string }
      readonly site: { readonly url: string; readonly name: string }
    }
  | {
      readonly push: 'events'
      readonly room: string
      readonly roomId: string
      readonly events: readonly RoomEvent[]
    }
  /** Events were missed, and are no longer kept: these are the last messages. */
  | { readonly push: 'reset'; readonly room: string; readonly joined: Joined }
  /** The visitor was blocked, and is not in the room any more. */
  | { readonly push: 'closed'; readonly room: string }
  | ({ readonly push: 'people'; readonly room: string } & RoomPeople)
  | ({ readonly push: 'rights'; readonly room: string } & RoomRights)
  | {
      readonly push: 'changed'
      readonly store: ValueStore
      readonly entries: readonly ValueEntry[]
    }
  /** Changes may have been missed: these are all entries that begin with the prefix. */
  | ({
      readonly push: 'entries'
      readonly store: ValueStore
      readonly prefix: string
    } & ListedEntries)
