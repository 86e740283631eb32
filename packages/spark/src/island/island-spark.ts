import { firstContent, llmRequest } from '../llm.ts'
import { llmPrompt } from '../llm-prompt.ts'
import { createConnection, type OpenWire } from './connection.ts'
import { createConsent } from './consent.ts'
import { type User, userOf } from './people.ts'
import { createRoom, type Room } from './room.ts'
import { createValues, type Values } from './values.ts'

/** The type of `window.spark` on islands. Its promises reject with a `SparkError`. */
export interface IslandSpark {
  readonly llmPrompt: typeof llmPrompt
  readonly llm: (prompt: string, model?: string, isJson?: boolean) => Promise<string>
  /** Null until the visitor said who they are. */
  readonly user: () => Promise<User | null>
  /** Asks the visitor to say who they are. Null if they would rather not. */
  readonly signIn: () => Promise<User | null>
  /** Each visitor’s own. */
  readonly kv: Values
  /** Everybody reads, and visitors write. */
  readonly shared: Values
  /** Everybody reads, and the host writes. */
  readonly host: Values
  readonly room: (name: string) => Room
}

export function createIslandSpark(
  openWire: OpenWire,
  page: Pick<EventTarget, 'addEventListener'>,
  agreed: Pick<EventTarget, 'addEventListener'>,
): IslandSpark {
  const connection = createConnection(openWire, page)
  const { ask, write } = createConsent({ connection, page, agreed })
  const values = { connection, write }
  const rooms = new Map<string, ReturnType<typeof createRoom>>()

  connection.handle({
    hello: () => {
      for (const room of rooms.values()) room.join()
    },
    push: (push) => {
      if ('room' in push) rooms.get(push.room)?.push(push)
    },
    lost: () => {
      for (const room of rooms.values()) room.lose()
    },
    ended: () => {
      for (const room of rooms.values()) room.close()
    },
  })

  const enterRoom = (name: string) => {
    const onLeave = () => {
      if (rooms.get(name) !== made) return
      rooms.delete(name)
      connection.callOnce({ call: 'leave', room: name })
    }
    const made = createRoom({ name, connection, write, onLeave })
    rooms.set(name, made)
    connection.start()
    made.join()
    return made
  }

  const user = async () => userOf(await connection.call<'user'>({ call: 'user' }))

  return Object.freeze<IslandSpark>({
    llmPrompt,
    llm: async (prompt, model = 'gpt-4o', isJson = false) => {
      const request = llmRequest(prompt, model, isJson)
      return firstContent(await write<'llm'>({ call: 'llm', request }))
    },
    user,
    signIn: async () => {
      const known = await user()
      return known === null && (await ask()) ? await user() : known
    },
    kv: createValues('kv', values),
    shared: createValues('shared', values),
    host: createValues('host', values),
    room: (name) => (rooms.get(name) ?? enterRoom(name)).room,
  })
}

/** Sets `window.spark`. Only once, even if the script is included several times. */
export function installIslandSpark(create: () => IslandSpark): void {
  // An element with the id `spark` is no property of its own.
  if (!Object.hasOwn(window, 'spark')) Object.assign(window, { spark: create() })
}
