import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { runFeed } from './run-feed.ts'

/** Ten minutes, or what SOAK_SECONDS says: long enough to see memory that is not given back. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 600)

/** Subscribers coming and going, heartbeats and flips, for as long as a soak takes. */
export async function measureSoak(): Promise<readonly BenchRow[]> {
  const figures = await runFeed({
    subscribers: 2000,
    seconds,
    steadyHeartbeatsPerS: 1900,
    leavingPerS: 20,
  })
  // The feed's log is full after 80 seconds at this rate: the first minute to compare with is after that.
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
    { name: 'server, of each second', value: figures.cpuShare * 1000, unit: 'ms' },
    { name: 'messages read', value: figures.messages, unit: 'calls' },
    { name: 'messages lost', value: figures.lost, unit: 'calls', atMost: 0 },
    { name: 'messages twice or out of order', value: figures.outOfOrder, unit: 'calls', atMost: 0 },
    { name: 'connections dropped', value: figures.dropped, unit: 'calls', atMost: 0 },
    { name: 'readers told to reload', value: figures.reloads, unit: 'calls', atMost: 0 },
    { name: 'heartbeats held back', value: figures.heldBackHeartbeats, unit: 'calls' },
    { name: 'heartbeats refused', value: figures.refusedHeartbeats, unit: 'calls', atMost: 0 },
  ]
}
