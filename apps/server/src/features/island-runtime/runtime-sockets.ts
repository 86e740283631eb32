import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RuntimeCall, runtimeCloseCodes } from '@astropelago/contract/island-runtime'
import { errors } from '@astropelago/contract/errors'
import {
  runtimeCallMaxBytes,
  runtimeSocketsPerIsland,
  runtimeSocketsPerNetwork,
} from '@astropelago/contract/limits'
import * as v from 'valibot'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { badRequest, sendLine } from '../../http/short-answers.ts'
import { textFrame } from '../../http/web-sockets.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { Visitor } from '../rooms/public.ts'
import { beyondUnread, whoMakesRoom } from './largest-first.ts'
import { frameOf, type RuntimeCalls, type RuntimePage, userOf } from './runtime-calls.ts'

const beatMs = 15_000
/** Calls of one page in a second. Those beyond are refused, and far beyond them the page has to go. */
const callsPerSecond = 100
const callsPerSecondMax = 500
const bytesPerSecondMax = 8 * 1024 * 1024
const callsAtOnce = 64
/** Whoever reads slower than others write is sent away, and comes back for what is missing. */
const unreadMaxBytes = 8 * 1024 * 1024
const unreadMaxBytesInAll = 128 * 1024 * 1024
/** After so much was written, it is looked at how much waits in all. */
const writtenUncheckedBytes = 8 * 1024 * 1024
/** Each piece takes memory of its own, and browsers send calls in one or a few. */
const maxFragments = 256
/** The page connects anew, because what the visitor may do has changed. */
const againCode = 4000

/** A visitor who was let in to an island. */
export interface EnteredVisitor extends Omit<Visitor, 'network'> {
  readonly isHost: boolean
  /** Of the session that let the visitor in. */
  readonly sessionHash: Uint8Array | null
  readonly island: { readonly slug: string; readonly name: string }
}

export interface RuntimeRequest {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  /** The host name with its port. */
  readonly authority: string
  readonly network: string
  readonly answered: () => ServerResponse
  /** Undefined if the visitor may not enter, or not yet. @throws StorageUnavailable */
  readonly admit: () => Promise<EnteredVisitor | undefined>
}

interface Connection {
  readonly visitor: EnteredVisitor
  readonly network: string
  readonly admit: RuntimeRequest['admit']
  readonly webSocket: WebSocket
  readonly unreadBytes: () => number
  /** At once, as far as the server goes. */
  readonly end: (code: number, reason: string) => void
  isAlive: boolean
}

/** The connections of islands’ pages: `spark` on islands. */
export function createRuntimeSockets({
  calls,
  accounts,
  config,
  log,
  schedule,
  metrics,
}: FeatureBase & {
  readonly calls: RuntimeCalls
  readonly accounts: Pick<AccountsFeature, 'watchSessionOf'>
  readonly config: Pick<Config, 'publicUrl' | 'siteName'>
}) {
  const { publicUrl, siteName } = config
  const { protocol } = new URL(publicUrl)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: runtimeCallMaxBytes,
    maxFragments,
    perMessageDeflate: false,
  })
  const connections = new Set<Connection>()
  const byIsland = new Map<number, Set<Connection>>()
  const byNetwork = new Map<string, number>()
  let written = 0
  let isStopped = false

  const open = (
    { request, socket, head, network, admit }: RuntimeRequest,
    visitor: EnteredVisitor,
  ): void => {
    server.handleUpgrade(request, socket, head, (webSocket) => {
      serve(webSocket, socket, { visitor, network, admit })
    })
  }

  const serve = (
    webSocket: WebSocket,
    wire: Duplex,
    { visitor, network, admit }: Pick<Connection, 'visitor' | 'network' | 'admit'>,
  ): void => {
    const { islandKey, island, sessionHash, userKey } = visitor
    const write = (frame: Buffer) => {
      if (webSocket.readyState !== webSocket.OPEN) return
      if (wire.writableLength > unreadMaxBytes) webSocket.terminate()
      else {
        wire.write(frame)
        boundUnread(frame.length)
      }
    }
    const page: RuntimePage = calls.open({ ...visitor, network }, write)
    const take = callsOf(page, write, (...why) => end(...why))
    const session =
      sessionHash === null || userKey === null
        ? undefined
        : accounts.watchSessionOf({ sessionHash, userKey })
    // A client may ignore the close for half a minute.
    const leave = () => {
      page.end()
      webSocket.off('message', take)
    }
    const end: Connection['end'] = (code, reason) => {
      leave()
      webSocket.close(code, reason)
    }
    const again = () => end(againCode, 'again')
    session?.signal.addEventListener('abort', again)
    const connection: Connection = {
      visitor,
      network,
      admit,
      webSocket,
      unreadBytes: () => wire.writableLength,
      isAlive: true,
      end,
    }
    connections.add(connection)
    const onIsland = byIsland.get(islandKey) ?? new Set()
    byIsland.set(islandKey, onIsland.add(connection))
    byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1)

    webSocket.on('pong', () => (connection.isAlive = true))
    // What is wrong with it is said by its end.
    webSocket.on('error', () => undefined)
    webSocket.on('close', () => {
      leave()
      session?.stop()
      connections.delete(connection)
      onIsland.delete(connection)
      if (onIsland.size === 0 && byIsland.get(islandKey) === onIsland) byIsland.delete(islandKey)
      const left = (byNetwork.get(network) ?? 1) - 1
      if (left === 0) byNetwork.delete(network)
      else byNetwork.set(network, left)
    })
    webSocket.on('message', take)
    write(
      frameOf({
        push: 'hello',
        user: userOf(visitor),
        island,
        site: { url: publicUrl, name: siteName },
      }),
    )
  }

  const boundUnread = (bytes: number): void => {
    written += bytes
    if (written < writtenUncheckedBytes) return
    written = 0
    for (const { webSocket } of beyondUnread(connections, unreadMaxBytesInAll)) {
      webSocket.terminate()
    }
  }

  const callsOf = (
    page: RuntimePage,
    write: (frame: Buffer) => void,
    end: Connection['end'],
  ): ((data: Buffer, isBinary: boolean) => void) => {
    let underWay = 0
    let second = 0
    let inSecond = 0
    let bytesInSecond = 0
    return (data, isBinary) => {
      const now = Math.floor(performance.now() / 1000)
      if (now !== second) {
        inSecond = 0
        bytesInSecond = 0
      }
      second = now
      inSecond += 1
      bytesInSecond += data.length
      if (inSecond > callsPerSecondMax || bytesInSecond > bytesPerSecondMax) {
        end(runtimeCloseCodes.tooMany, 'too many calls')
        return
      }
      const call = isBinary ? undefined : readCall(data)
      if (call === undefined) {
        end(runtimeCloseCodes.unwanted, 'unwanted')
        return
      }
      const answer = (said: { result: unknown } | { error: unknown }) =>
        write(textFrame(Buffer.from(JSON.stringify({ id: call.id, ...said }))))
      if ('error' in call) {
        answer({ error: call.error })
        return
      }
      if (inSecond > callsPerSecond || underWay >= callsAtOnce) {
        answer({ error: errorOf(new DomainError('rate_limited')) })
        return
      }
      underWay += 1
      page
        .take(call.call, (result) => answer({ result }))
        .catch((error: unknown) => {
          if (error instanceof DomainError) {
            // What others failed to do for us.
            if (error.cause !== undefined) log.warn({ err: error }, 'an island’s page was refused')
          } else if (!(error instanceof StorageUnavailable)) {
            log.error({ err: error }, 'a call of an island’s page failed')
          }
          answer({ error: errorOf(error) })
        })
        .finally(() => (underWay -= 1))
    }
  }

  schedule.every(beatMs, 'pages of islands were not asked whether they are there', async () => {
    for (const connection of connections) {
      if (!connection.isAlive) connection.webSocket.terminate()
      else {
        connection.isAlive = false
        connection.webSocket.ping()
      }
    }
  })
  metrics.gauge({
    name: 'astropelago_island_pages_connected',
    help: 'Pages of islands that are connected to this server by spark',
    read: () => connections.size,
  })

  /** @returns whether there is a place, if need be that of another page */
  const findPlace = (islandKey: number, network: string): boolean => {
    if ((byNetwork.get(network) ?? 0) >= runtimeSocketsPerNetwork) return false
    const onIsland = byIsland.get(islandKey)
    if (onIsland === undefined || onIsland.size < runtimeSocketsPerIsland) return true
    const other = whoMakesRoom(onIsland, network)
    other?.webSocket.terminate()
    return other !== undefined
  }

  /** By a code that the page understands: browsers don’t say why a connection was refused. */
  const shutOut = ({ request, socket, head }: RuntimeRequest): void => {
    server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.close(runtimeCloseCodes.shut, 'shut')
      // A client may leave the close unanswered.
      socket.destroySoon()
    })
  }

  return {
    upgrade: async (asked: RuntimeRequest): Promise<void> => {
      const { request, authority, network, answered, socket } = asked
      // Other sites’ pages could otherwise act as the visitor.
      if (request.headers.origin !== `${protocol}//${authority}`) {
        sendLine(answered(), { status: 403, text: 'Only pages of this island connect here.\n' })
        return
      }
      const visitor = await asked.admit()
      if (socket.destroyed) return
      if (request.headers['sec-websocket-key'] === undefined) sendLine(answered(), badRequest)
      else if (visitor === undefined) shutOut(asked)
      else if (isStopped || !findPlace(visitor.islandKey, network)) {
        const text = 'Too many pages are connected. Try again.\n'
        sendLine(answered(), { status: 503, text, headers: { 'retry-after': '5' } })
      } else open(asked, visitor)
    },
    /** Who may enter the island, or what the visitors may do there, may have changed: of all, or of one user. */
    recheck: (islandKey: number, userKey?: number): void => {
      for (const connection of byIsland.get(islandKey) ?? []) {
        if (userKey !== undefined && connection.visitor.userKey !== userKey) continue
        void endIfOther(connection)
      }
    },
    stop: (): void => {
      isStopped = true
      for (const { end } of connections) end(runtimeCloseCodes.shutdown, 'shutdown')
      // Pages that do not answer hold nothing up.
      const cut = setTimeout(() => {
        for (const { webSocket } of connections) webSocket.terminate()
      }, 1000)
      cut.unref()
    },
  }
}

/** If storage can’t answer, the visitor has to leave too. */
async function endIfOther({ admit, visitor, end }: Connection): Promise<void> {
  const now = await admit().catch(() => null)
  if (now === undefined) end(runtimeCloseCodes.shut, 'shut')
  else if (now === null || !isSame(now, visitor)) end(againCode, 'again')
}

function isSame(now: EnteredVisitor, before: EnteredVisitor): boolean {
  return (
    now.userKey === before.userKey &&
    now.writer?.id === before.writer?.id &&
    now.writer?.name === before.writer?.name &&
    now.isModerator === before.isModerator &&
    now.isHost === before.isHost
  )
}

const Numbered = v.object({ id: v.number() })

/** Undefined if no page of ours would have sent it. */
function readCall(
  data: Buffer,
):
  | { readonly id: number; readonly call: RuntimeCall }
  | { readonly id: number; readonly error: object }
  | undefined {
  let json: unknown
  try {
    json = JSON.parse(data.toString())
  } catch {
    return undefined
  }
  const parsed = v.safeParse(RuntimeCall, json)
  if (parsed.success) return { id: parsed.output.id, call: parsed.output }
  const numbered = v.safeParse(Numbered, json)
  if (!numbered.success) return undefined
  const [{ message }] = parsed.issues
  return { id: numbered.output.id, error: { code: 'invalid_input', message } }
}

function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof DomainError)) {
    const code = error instanceof StorageUnavailable ? 'overloaded' : 'server_error'
    return { code, message: errors[code].sentence }
  }
  const { code, retryAfterS } = error
  const isTooFast = code === 'rate_limited' && retryAfterS !== undefined
  const message = `That was too fast. Try again in ${Math.ceil(retryAfterS ?? 0)} seconds.`
  return { code, message: isTooFast ? message : errors[code].sentence }
}
