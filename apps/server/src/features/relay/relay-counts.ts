import type { Metrics } from '../../metrics.ts'

/** Why the relay itself turned a visitor away. */
export type Refusal =
  /** Unknown, hidden or forbidden. Nobody learns which. */
  | 'elsewhere'
  /** The visitor was first shown whose machine it is. */
  | 'first-visit'
  /** The network is over its limit, so the cookie was not looked up. */
  | 'too-many'
  | 'closed'
  | 'paused'
  | 'taken-down'
  | 'agent-gone'
  | 'out-of-reach'
  | 'refused'
  | 'timeout'
  /** The visitor's own request did not arrive completely. */
  | 'unsent'
  | 'broken'
  | 'busy'
  | 'unreadable'

/** What this server's relay has done since it started. */
export class RelayCounts {
  requests = 0
  webSockets = 0
  tcpConnections = 0
  bytesToVisitors = 0
  bytesToServices = 0
  readonly refused = new Map<Refusal, number>()

  refuse(why: Refusal): void {
    this.refused.set(why, (this.refused.get(why) ?? 0) + 1)
  }
}

interface Current {
  readonly agents: () => number
  readonly transfers: () => number
}

export function relayMetrics(metrics: Metrics, counts: RelayCounts, current: Current): void {
  metrics.gauge({
    name: 'astropelago_relay_agents',
    help: 'Agents that are connected to this server and carry visitors',
    read: current.agents,
  })
  metrics.gauge({
    name: 'astropelago_relay_transfers',
    help: 'Requests and connections of visitors that this server carries at the moment',
    read: current.transfers,
  })
  metrics.counter({
    name: 'astropelago_relay_requests_total',
    help: 'What visitors asked of services through this server since its start, by kind',
    labels: ['kind'],
    read: () => [
      { labels: { kind: 'request' }, value: counts.requests },
      { labels: { kind: 'websocket' }, value: counts.webSockets },
      { labels: { kind: 'tcp' }, value: counts.tcpConnections },
    ],
  })
  metrics.counter({
    name: 'astropelago_relay_bytes_total',
    help: 'Bytes of bodies, WebSockets and TCP since the start, by where they went',
    labels: ['to'],
    read: () => [
      { labels: { to: 'visitors' }, value: counts.bytesToVisitors },
      { labels: { to: 'services' }, value: counts.bytesToServices },
    ],
  })
  metrics.counter({
    name: 'astropelago_relay_refused_total',
    help: 'Requests and connections that no service answered, by why',
    labels: ['reason'],
    read: () => [...counts.refused].map(([reason, value]) => ({ labels: { reason }, value })),
  })
}
