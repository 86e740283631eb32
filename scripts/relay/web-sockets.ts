/** WebSockets at home. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { listen } from '../../apps/server/src/test/listen.ts'
import type { RelayedIsland, RelayStand } from './relay-stand.ts'

const largeBytes = 16 * 2 ** 20
/** Incompressible data grows a little when compressed. */
const maxPayload = 2 * largeBytes
const leaveLimitMs = 1000

export interface EchoService {
  readonly url: string
  /** The service's end of each connection, in the order of arrival. */
  readonly connections: readonly WebSocket[]
  readonly stop: () => void
}

/** Echoes each message. */
export async function startEcho(): Promise<EchoService> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const connections: WebSocket[] = []
  const sockets = new WebSocketServer({
    server,
    maxPayload,
    perMessageDeflate: true,
    handleProtocols: (offered) => (offered.has('echo.2') ? 'echo.2' : false),
  })
  sockets.on('connection', (socket) => {
    connections.push(socket)
    socket.on('error', () => undefined)
    socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }))
  })
  return {
    url: await listen(server),
    connections,
    stop: () => {
      for (const socket of connections) socket.terminate()
      server.close()
    },
  }
}

export async function checkWebSockets(
  { port }: RelayStand,
  { host }: RelayedIsland,
  { connections }: EchoService,
): Promise<void> {
  const open = async (perMessageDeflate: boolean) => {
    const visitor = new WebSocket(`ws://127.0.0.1:${port}/`, ['echo.1', 'echo.2'], {
      headers: { host },
      perMessageDeflate,
      maxPayload,
    })
    await once(visitor, 'open')
    const service = connections.at(-1)
    assert.ok(service !== undefined)
    assert.equal(visitor.protocol, 'echo.2')
    assert.equal(visitor.extensions.includes('permessage-deflate'), perMessageDeflate)
    return { visitor, service }
  }

  for (const perMessageDeflate of [false, true]) {
    const { visitor, service } = await open(perMessageDeflate)
    for (const message of ['Ahoy, ⛵', randomBytes(1000), randomBytes(largeBytes), '']) {
      const heard = once(visitor, 'message')
      visitor.send(message)
      const [echo, isBinary]: unknown[] = await heard
      assert.equal(isBinary, typeof message !== 'string')
      assert.ok(Buffer.isBuffer(echo) && echo.equals(Buffer.from(message)))
    }
    for (const [from, to] of [
      [visitor, service],
      [service, visitor],
    ] as const) {
      const [ping, pong] = [once(to, 'ping'), once(from, 'pong')]
      from.ping('are you there')
      assert.deepEqual([String(await ping), String(await pong)], ['are you there', 'are you there'])
    }
    const heard = once(service, 'close')
    visitor.close(4001, 'I have seen it')
    assert.deepEqual((await heard).map(String), ['4001', 'I have seen it'])
  }

  const closed = await open(false)
  const told = once(closed.visitor, 'close')
  closed.service.close(4002, 'We are closing')
  assert.deepEqual((await told).map(String), ['4002', 'We are closing'])

  for (const [leaves, stays] of [
    ['visitor', 'service'],
    ['service', 'visitor'],
  ] as const) {
    const ends = await open(false)
    const left = once(ends[stays], 'close', { signal: AbortSignal.timeout(leaveLimitMs) })
    ends[leaves].terminate()
    assert.equal((await left)[0], 1006)
  }
  console.log('  WebSockets: text, binary, 16 MiB, pings, closes and ends, as they were sent')
}
