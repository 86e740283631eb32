/** Connects an idle agent for each token in a file, to measure their cost in the server. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { relayProtocol } from '@astropelago/contract/relay'
import { FrameSession } from '../../apps/server/src/features/relay/frames/frame-session.ts'

const server = new URL(process.env['SERVER'] ?? '')
const tokens = readFileSync(process.env['TOKENS'] ?? '', 'utf8')
  .trim()
  .split('\n')
const sessions: FrameSession[] = []
for (const token of tokens) {
  const dialling = request(new URL('/api/relay/connect', server), {
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: relayProtocol,
      'astropelago-agent': randomUUID(),
    },
  })
  dialling.end()
  dialling.once('upgrade', (_answer, socket: Socket, head) => {
    if (head.length > 0) socket.unshift(head)
    const session = new FrameSession(socket, {
      onOpen: (stream) => stream.reset('refused'),
      onEnd: () => undefined,
    })
    sessions.push(session)
  })
  await once(dialling, 'upgrade')
}
process.stdout.write(`${server.origin} is ready for all ${sessions.length} of them\n`)
