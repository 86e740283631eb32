import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export interface LoadBalancer {
  readonly url: string
  readonly close: () => void
}

/**
 * A minimal load balancer. Each call goes to the next server, or to another one if that refuses the
 * connection.
 */
export async function openLoadBalancer(targets: () => readonly string[]): Promise<LoadBalancer> {
  let turn = 0
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, tries: number) => {
    const urls = targets()
    const target = urls[turn++ % urls.length] ?? ''
    const sent = request(`${target}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    })
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
      answer.on('aborted', () => outgoing.destroy())
    })
    sent.on('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
      // If the connection is refused, the call has not begun. After any other error it may have.
      if (isRefused && tries > 1) forward(incoming, outgoing, tries - 1)
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => sent.destroy())
    incoming.pipe(sent)
  }
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, targets().length))
  return {
    url: await listen(server),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
