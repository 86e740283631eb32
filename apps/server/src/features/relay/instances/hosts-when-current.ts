import type { ServerResponse } from 'node:http'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { OtherHosts } from '../../../http/host-first.ts'
import { answerOn } from '../../../http/protocol-upgrades.ts'

/**
 * A server that is cut off from the others does not know which islands were closed, so it lets nobody in
 * meanwhile.
 */
export function hostsWhenCurrent(
  hosts: OtherHosts,
  cluster: Pick<Cluster, 'isCurrent' | 'whenCurrent'>,
): OtherHosts {
  const ask = (goOn: () => void, answer: () => ServerResponse) => {
    cluster.whenCurrent().then(goOn, () => refuse(answer()))
  }
  return {
    ...hosts,
    answer: (request, response) => {
      if (cluster.isCurrent() || !hosts.takes(request)) return hosts.answer(request, response)
      ask(
        () => void hosts.answer(request, response),
        () => response,
      )
      return true
    },
    upgrade: (request, socket, head) => {
      if (cluster.isCurrent()) {
        hosts.upgrade(request, socket, head)
        return
      }
      socket.on('error', () => socket.destroy())
      ask(
        () => hosts.upgrade(request, socket, head),
        () => answerOn(request, socket),
      )
    },
  }
}

function refuse(response: ServerResponse): void {
  if (response.destroyed || response.socket?.destroyed === true) return
  const text = 'This server can’t reach its database at the moment. Try again.\n'
  response.shouldKeepAlive = false
  response.writeHead(503, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'retry-after': '2',
  })
  response.end(text)
}
