import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { runFeed } from './run-feed.ts'

/** Ten minutes by default (SOAK_SECONDS), long enough to see a memory leak. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 600)

/** Measures a long run with reconnecting subscribers, heartbeats and flips. */
export async function measureSoak(): Promise<readonly BenchRow[]> {
  const figures = await runFeed({
    subscribers: 2000,
    seconds,
    steadyHeartbeatsPerS: 1900,
    leavingPerS: 20,
  })
  // At this rate, the feed's log is full after 80 seconds. Compare with the minute after that.
  const part = Math.min(60, Math.floor(seconds / 4))
  const filling = median(figures.residentKb.slice(0, part))
  const first = median(figures.residentKb.slice(part * 1.5, part * 2.5))
  const last = median(figures.residentKb.slice(-part))
  return [
    { name: 'memory while the log fills', value: filling, unit: 'kB' },
    {
      name: 'memory, last minute',
      value: last,
      reference: first,
      unit: 'kB',
      atMost: first * 1.05,
    },
    { name: 'heartbeat to socket, p99', value: figures.latencyMs(0.99), unit: 'ms', atMost: 500 },
    { name: 'server, per second', value: figures.cpuShare * 1000, unit: 'ms' },
    { name: 'messages read', value: figures.messages, unit: 'calls' },
    { name: 'messages lost', value: figures.lost, unit: 'calls', atMost: 0 },
    { name: 'messages twice or out of order', value: figures.outOfOrder, unit: 'calls', atMost: 0 },
    { name: 'connections dropped', value: figures.dropped, unit: 'calls', atMost: 0 },
    { name: 'readers told to reload', value: figures.reloads, unit: 'calls', atMost: 0 },
    { name: 'heartbeats held back', value: figures.heldBackHeartbeats, unit: 'calls' },
    { name: 'heartbeats refused', value: figures.refusedHeartbeats, unit: 'calls', atMost: 0 },
  ]
}
