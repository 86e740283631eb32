import { byLabel, type Metrics } from '../../metrics.ts'
import type { VisitorState } from './visitors/visitor-states.ts'

export type Refusal = VisitorState | 'elsewhere' | 'first-visit' | 'too-many'

export class RelayCounts {
  requests = 0
  /** Answered from hosted pages. */
  pages = 0
  webSockets = 0
  tcpConnections = 0
  bytesToVisitors = 0
  bytesToServices = 0
  hopsSent = 0
  hopsTaken = 0
  hopsRefused = 0
  readonly refused = new Map<Refusal, number>()

  refuse(why: Refusal): void {
    this.refused.set(why, (this.refused.get(why) ?? 0) + 1)
  }
}

export function relayMetrics(
  metrics: Metrics,
  counts: RelayCounts,
  current: Readonly<Record<'agents' | 'transfers' | 'hops', () => number>>,
): void {
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
    read: () =>
      byLabel('kind', {
        request: counts.requests,
        websocket: counts.webSockets,
        tcp: counts.tcpConnections,
      }),
  })
  metrics.counter({
    name: 'astropelago_pages_requests_total',
    help: 'Requests of visitors for hosted pages since the start',
    read: () => counts.pages,
  })
  metrics.counter({
    name: 'astropelago_relay_bytes_total',
    help: 'Bytes of requests, answers, WebSockets and TCP since the start, by where they went',
    labels: ['to'],
    read: () =>
      byLabel('to', { visitors: counts.bytesToVisitors, services: counts.bytesToServices }),
  })
  metrics.counter({
    name: 'astropelago_relay_refused_total',
    help: 'Requests and connections that no service answered, by why',
    labels: ['reason'],
    read: () => byLabel('reason', Object.fromEntries(counts.refused)),
  })
  metrics.gauge({
    name: 'astropelago_relay_hops',
    help: 'Other servers to which this one can hand visitors on',
    read: current.hops,
  })
  metrics.counter({
    name: 'astropelago_relay_hop_streams_total',
    help: 'Streams handed on between servers since the start, by which way',
    labels: ['way'],
    read: () => byLabel('way', { sent: counts.hopsSent, taken: counts.hopsTaken }),
  })
  metrics.counter({
    name: 'astropelago_relay_hop_refused_total',
    help: 'Connections that claimed to come from another server and were not signed by one',
    read: () => counts.hopsRefused,
  })
}
