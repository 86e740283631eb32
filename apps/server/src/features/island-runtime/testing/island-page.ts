import {
  type Joined,
  type RuntimeAnswer,
  type RuntimeCall,
  runtimeSocketPath,
} from '@astropelago/contract/island-runtime'
import type { RoomEvent } from '@astropelago/contract/rooms'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { publishTestPages } from '../../../test/api-pages.ts'
import type { TestBrowser } from '../../../test/create-test-app.ts'
import type { createRelayApp } from '../../../test/relay-app.ts'
import { visitorOf } from '../../../test/relay-visitor.ts'

type Push = Extract<RuntimeAnswer, { push: string }>
type WithoutId<Call> = Call extends unknown ? Omit<Call, 'id'> : never
type Asked = WithoutId<RuntimeCall>

type RelayApp = Awaited<ReturnType<typeof createRelayApp>>

/** An island of the relay app's host with pages, which visitors open. */
export async function publishPages(
  relay: RelayApp,
  files?: Parameters<typeof publishTestPages>[1],
  to?: Parameters<typeof publishTestPages>[2],
) {
  const island = await publishTestPages(relay.host, files, to)
  return { island, ...pagesAt(relay, island.slug) }
}

export function pagesAt(relay: RelayApp, slug: string) {
  const hostName = `${slug}.localhost`
  const openAs = async (user?: TestBrowser, tellsName = true) => {
    if (user === undefined) return await openPage(relay.port, { hostName })
    const visitor = visitorOf(relay, slug, user)
    await visitor.enter(tellsName)
    return await openPage(relay.port, { hostName, cookie: visitor.cookie() })
  }
  return { hostName, openAs }
}

export type IslandPage = Awaited<ReturnType<typeof openPage>>

/** A page of an island, as the server sees it: one connection. */
export async function openPage(
  port: number,
  {
    hostName,
    cookie = '',
    origin = `http://${hostName}:${port}`,
  }: { readonly hostName: string; readonly cookie?: string; readonly origin?: string },
) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${runtimeSocketPath}`, {
    headers: { host: `${hostName}:${port}`, origin, ...(cookie !== '' && { cookie }) },
  })
  onTestFinished(() => socket.terminate())
  const pushes: Push[] = []
  const waiting = new Map<number, (answer: RuntimeAnswer) => void>()
  const watchers = new Set<() => void>()
  let id = 0
  socket.on('message', (data: Buffer) => {
    const said: RuntimeAnswer = JSON.parse(data.toString())
    if ('push' in said) {
      pushes.push(said)
      for (const watcher of watchers) watcher()
    } else waiting.get(said.id)?.(said)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code: number, reason: Buffer) =>
      resolve({ code, reason: reason.toString() }),
    )
  })
  const refused = new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  socket.on('error', () => undefined)

  /** Resolves with the first push that fits, even one that came before. */
  const pushed = async <P extends Push>(fits: (push: Push) => push is P): Promise<P> => {
    const find = () => pushes.find(fits)
    const found = new Promise<P>((resolve) => {
      const look = () => {
        const push = find()
        if (push === undefined) return
        watchers.delete(look)
        resolve(push)
      }
      watchers.add(look)
      look()
    })
    return await found
  }
  /** Resolves with the result, or with the code of the error. */
  // Each call has a result of its own, which tests compare.
  // oxlint-disable-next-line typescript/no-explicit-any
  const call = async (asked: Asked): Promise<any> => {
    id += 1
    const mine = id
    const answered = new Promise<RuntimeAnswer>((resolve) => waiting.set(mine, resolve))
    socket.send(JSON.stringify({ id: mine, ...asked }))
    const answer = await answered
    if ('error' in answer) return answer.error.code
    return 'result' in answer ? answer.result : undefined
  }

  const opened = new Promise<undefined>((resolve) => {
    socket.on('open', () => resolve(undefined))
  })
  const refusedWith = await Promise.race([opened, refused])
  const events = (room: string): RoomEvent[] =>
    pushes.flatMap((push) => (push.push === 'events' && push.room === room ? push.events : []))
  return {
    socket,
    closed,
    /** The status, if the connection was refused. */
    refusedWith,
    pushes,
    pushed,
    call,
    events,
    join: async (room: string, after?: number): Promise<Joined> =>
      await call({ call: 'join', room, ...(after !== undefined && { after }) }),
    send: async (room: string, value: unknown, clientId: string = crypto.randomUUID()) =>
      await call({ call: 'send', room, clientId, value: JSON.stringify(value) }),
    /** Resolves when so many events of a room came. */
    eventsOf: async (room: string, count: number): Promise<RoomEvent[]> => {
      await pushed((_push): _push is Push => events(room).length >= count)
      return events(room)
    },
  }
}
