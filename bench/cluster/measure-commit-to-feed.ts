import { setTimeout as wait } from 'node:timers/promises'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import { currentSequence, FeedClient } from '../feed/feed-client.ts'
import { seededId, seededToken } from '../server/seeded-device.ts'
import type { ServerProcess } from '../server/server-process.ts'

const perS = 20
const seconds = 15
const settleMs = 3000

/** Devices that come online in one measurement. */
export const devicesToCome = perS * seconds

interface CommitToFeed {
  /** The server that receives the heartbeats. */
  readonly taker: ServerProcess
  /** The server whose feed is read. */
  readonly teller: ServerProcess
  /** The number of the first device that was never seen. */
  readonly first: number
}

/**
 * Brings devices online at a low rate.
 * @returns how long it took from each answer to the message on another server's feed
 */
export async function measureCommitToFeed({ taker, teller, first }: CommitToFeed) {
  const readMs = new Map<string, number>()
  const client = new FeedClient({
    port: teller.port,
    kind: 'stream',
    onDevice: (id) => readMs.set(id, performance.now()),
  })
  client.open(await currentSequence(teller.url))
  const answered: Promise<readonly [id: string, atMs: number]>[] = []
  try {
    const startedMs = performance.now()
    for (let sent = 0; sent < devicesToCome; sent += 1) {
      await wait(Math.max(0, startedMs + (sent * 1000) / perS - performance.now()))
      answered.push(comeOnline(taker, first + sent))
    }
    const answers = await Promise.all(answered)
    await wait(settleMs)
    if (client.lost + client.outOfOrder + client.reloads + client.dropped > 0) {
      throw new Error('the feed of another server had a gap')
    }
    const took = answers.map(([id, atMs]) => (readMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs)
    if (took.some((ms) => ms === Number.POSITIVE_INFINITY)) {
      throw new Error('the feed of another server missed devices')
    }
    // A message can arrive before its answer is read.
    const sorted = took.map((ms) => Math.max(0, ms)).toSorted((a, b) => a - b)
    return (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  } finally {
    client.close()
  }
}

async function comeOnline({ url }: ServerProcess, number: number) {
  const { status } = await fetch(`${url}${tokenHeartbeat.path}`, {
    method: tokenHeartbeat.method,
    headers: { authorization: `Bearer ${seededToken(number)}` },
  })
  if (status !== 204) throw new Error(`a heartbeat was answered by ${status}`)
  return [seededId(number), performance.now()] as const
}
