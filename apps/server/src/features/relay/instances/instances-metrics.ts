import type { Metrics } from '../../../metrics.ts'
import type { Instances } from './instances.ts'

/** @param instances undefined if there is only one server */
export function instancesMetrics(metrics: Metrics, instances: Instances | undefined): void {
  metrics.gauge({
    name: 'astropelago_relay_hops',
    help: 'Other servers to which this one can hand visitors on',
    read: () => instances?.hops.count ?? 0,
  })
  metrics.counter({
    name: 'astropelago_relay_hop_requests_total',
    help: 'Requests handed on between servers since the start, by which way',
    labels: ['way'],
    read: () => [
      { labels: { way: 'sent' }, value: instances?.counts.sent ?? 0 },
      { labels: { way: 'taken' }, value: instances?.counts.taken ?? 0 },
    ],
  })
  metrics.counter({
    name: 'astropelago_relay_hop_refused_total',
    help: 'What claimed to come from another server and was not signed by one',
    labels: ['what'],
    read: () => [
      { labels: { what: 'connection' }, value: instances?.counts.refused.connection ?? 0 },
      { labels: { what: 'request' }, value: instances?.counts.refused.request ?? 0 },
    ],
  })
}
