/** Connects an idle agent for each token in a file, to measure their cost in the server. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:http2'
import { relayProtocol } from '@astropelago/contract/relay'

const server = new URL(process.env['SERVER'] ?? '')
const tokens = readFileSync(process.env['TOKENS'] ?? '', 'utf8')
  .trim()
  .split('\n')
const http2 = createServer({ settings: { enableConnectProtocol: true } })
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
  dialling.once('upgrade', (_answer, socket, head) => {
    if (head.length > 0) socket.unshift(head)
    http2.emit('connection', socket)
  })
  await once(dialling, 'upgrade')
}
process.stdout.write(`${server.origin} is ready for all of them\n`)
