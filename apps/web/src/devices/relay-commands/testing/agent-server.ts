import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { RelayInstall } from '../relay-install.ts'

const agent = readFileSync(
  new URL('../../../../../../packages/agent/src/agent.mjs', import.meta.url),
)
const token = 'apd_-_0aZ3kQ9mVx7TnR2wLs5YbHc8JdPfGt4UeKiOqXzWv1M'

interface AgentServer {
  readonly install: RelayInstall
  /** Connections by agents. The server refuses each with the sentence "Seen." */
  readonly dials: IncomingMessage[]
  /** 401 is final; after 503 an agent retries. */
  status: 401 | 503
  /** Runs while an agent waits for the answer. */
  beforeRefusal: () => void
}

/** Answers the check's PING, and ends the check at once with AWAY. docs/relay.md has the frames. */
function answerCheck(socket: Duplex): void {
  socket.write('HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: astropelago-relay/2\r\n\r\n')
  socket.once('data', (ping: Buffer) => {
    const away = Buffer.from([9, 0, 0, 0, 0, 0, 0, 0])
    socket.end(Buffer.concat([Buffer.from([8]), ping.subarray(1), away]))
  })
}

/**
 * A server that serves the real agent, refuses its connections except the check's, and is also the service
 * that the agent carries. It closes with the test.
 */
export async function agentServer(): Promise<AgentServer> {
  const sha256 = createHash('sha256').update(agent).digest('hex')
  const server = createServer((request, response) => {
    const { url, headers } = request
    if (url === '/agent.mjs') response.end(agent)
    else if (url === '/api/relay/agent') response.end(JSON.stringify({ version: '0', sha256 }))
    else if (url !== '/api/relay/connect') response.writeHead(404).end()
    else if (headers.authorization === `Bearer ${token}`) {
      response.writeHead(426).end(JSON.stringify({ code: 'upgrade_required', error: 'Upgrade.' }))
    } else {
      response.writeHead(401).end(JSON.stringify({ code: 'invalid_token', error: 'Who?' }))
    }
  })
  server.on('upgrade', (request, socket) => {
    // An agent that is ended hangs up in the middle.
    socket.on('error', () => undefined)
    if (request.headers['astropelago-agent-check'] !== undefined) return answerCheck(socket)
    found.dials.push(request)
    found.beforeRefusal()
    const body = '{"code":"invalid_token","error":"Seen."}'
    return socket.end(
      `HTTP/1.1 ${found.status} No\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const install = {
    ...sampleInstall,
    publicUrl: url,
    sha256,
    service: { kind: 'address', url },
  } as const
  const found: AgentServer = { install, dials: [], status: 401, beforeRefusal: () => undefined }
  return found
}

export const sampleInstall: RelayInstall = {
  publicUrl: 'https://sky.example',
  token,
  islandId: '3f1c9a52-77d0-4c1e-9b35-0a6f2e8d4b17',
  sha256: '0'.repeat(64),
  service: { kind: 'address', url: 'http://localhost:8080' },
  tcp: undefined,
}
