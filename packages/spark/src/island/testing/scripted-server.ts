import type {
  Joined,
  RuntimeAnswer,
  RuntimeCall,
  RuntimeUser,
} from '@astropelago/contract/island-runtime'
import type { RoomEvent, RoomMessage } from '@astropelago/contract/rooms'
import { expect, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { createIslandSpark } from '../island-spark.ts'
import { webSocketWire } from '../web-socket-wire.ts'

/** A page's connection, as the test's server has it. */
export interface ScriptedConnection {
  readonly received: readonly RuntimeCall[]
  readonly send: (answer: RuntimeAnswer) => void
  readonly hello: (user?: RuntimeUser | null) => void
  /** Waits for a call by its name, the first that was not taken yet. */
  readonly take: <C extends RuntimeCall['call']>(
    name: C,
  ) => Promise<Extract<RuntimeCall, { call: C }>>
  readonly close: (code?: number) => void
}

/** A real WebSocket server that does what the test says, and a page's `spark` that is connected to it. */
export async function scriptedServer() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const connections: ScriptedConnection[] = []
  let taken = 0

  server.on('connection', (socket) => {
    const received: RuntimeCall[] = []
    const untaken: RuntimeCall[] = []
    socket.on('message', (data: Buffer) => {
      const call: RuntimeCall = JSON.parse(data.toString())
      received.push(call)
      untaken.push(call)
    })
    const send = (answer: RuntimeAnswer) => socket.send(JSON.stringify(answer))
    connections.push({
      received,
      send,
      hello: (user = null) => {
        const island = { slug: 'lounge', name: 'The lounge' }
        send({ push: 'hello', user, island, site: { url: 'https://sky.example', name: 'Sky' } })
      },
      take: async <C extends RuntimeCall['call']>(name: C) => {
        const isIt = (call: RuntimeCall): call is Extract<RuntimeCall, { call: C }> =>
          call.call === name
        await vi.waitFor(() => expect(untaken.some(isIt), `a call ${name}`).toBe(true), waiting)
        const call = untaken.find(isIt)
        if (call === undefined) throw new Error(`There is no call ${name}`)
        untaken.splice(untaken.indexOf(call), 1)
        return call
      },
      close: (code = 1011) => socket.close(code),
    })
  })

  const page = new EventTarget()
  onTestFinished(async () => {
    page.dispatchEvent(new Event('pagehide'))
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  const agreed = new EventTarget()
  return {
    page,
    agreed,
    spark: createIslandSpark(webSocketWire(`ws://127.0.0.1:${address.port}`), page, agreed),
    /** The next connection of the page. */
    next: async (): Promise<ScriptedConnection> => {
      await vi.waitFor(() => expect(connections.length).toBeGreaterThan(taken), waiting)
      const connection = connections[taken++]
      if (connection === undefined) throw new Error('There is no connection')
      return connection
    },
  }
}

const waiting = { timeout: 10_000, interval: 5 }

export const ada: RuntimeUser = { id: 'a1', name: 'Ada', isHost: false }

export function message(n: number, by: RoomMessage['from'] = null): RoomMessage {
  const from = by === null ? null : { id: by.id, name: by.name }
  return { kind: 'message', n, atMs: 1000 * n, from, value: `m${n}` }
}

export function joined(events: readonly RoomEvent[], parts: Partial<Joined> = {}): Joined {
  return {
    roomId: 'r1',
    last: events.at(-1)?.n ?? 0,
    isReset: true,
    events,
    rights: { mayWrite: true, isModerator: false },
    attendance: { count: 1, people: [] },
    ...parts,
  }
}
