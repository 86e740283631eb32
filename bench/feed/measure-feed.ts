import type { BenchRow } from '../bench-row.ts'
import { runFeed } from './run-feed.ts'

/** Measures the live feed with 2,000 subscribers and 200 flips a second. */
export async function measureFeed(): Promise<readonly BenchRow[]> {
  const figures = await runFeed({
    subscribers: 2000,
    seconds: 45,
    steadyHeartbeatsPerS: 0,
    leavingPerS: 0,
  })
  const perSubscriberKb = (Math.max(...figures.residentKb) - figures.emptyKb) / 2000
  return [
    { name: 'heartbeat to socket, median', value: figures.latencyMs(0.5), unit: 'ms' },
    { name: 'heartbeat to socket, p99', value: figures.latencyMs(0.99), unit: 'ms', atMost: 500 },
    { name: 'server, per second', value: figures.cpuShare * 1000, unit: 'ms' },
    { name: 'memory of a subscriber', value: perSubscriberKb, unit: 'kB' },
    { name: 'messages read', value: figures.messages, unit: 'calls' },
    { name: 'messages lost', value: figures.lost, unit: 'calls', atMost: 0 },
    { name: 'messages twice or out of order', value: figures.outOfOrder, unit: 'calls', atMost: 0 },
    { name: 'connections dropped', value: figures.dropped, unit: 'calls', atMost: 0 },
    { name: 'readers told to reload', value: figures.reloads, unit: 'calls', atMost: 0 },
  ]
}
