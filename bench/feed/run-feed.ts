import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seedDevices } from '../server/seed-devices.ts'
import { seededId, seededToken } from '../server/seeded-device.ts'
import { startServer } from '../server/server-process.ts'
import { currentSequence, FeedClient } from './feed-client.ts'
import { HeartbeatDriver } from './heartbeat-driver.ts'

/** These report once per round, and rounds are longer than the window: two flips each. */
const flippingDevices = 2000
const flipRoundMs = 20_000
const onlineWindowMs = 10_000
/** These report often enough to stay online. */
const steadyRoundMs = 5000
const tickMs = 20
const settleMs = 3000
/** Of this many subscribers, two measure latency, one per protocol. */
const probeEvery = 100
/** Later messages share the last bucket. */
const latestMs = 10_000

interface SeededDevice {
  readonly id: string
  readonly token: string
}

interface FeedRun {
  readonly subscribers: number
  readonly seconds: number
  /** In addition to the hundred a second that flip devices. */
  readonly steadyHeartbeatsPerS: number
  /** Subscribers that reconnect each second. */
  readonly leavingPerS: number
}

export interface FeedFigures {
  /** From sending a heartbeat to reading its flip. */
  readonly latencyMs: (share: number) => number
  readonly messages: number
  readonly lost: number
  readonly outOfOrder: number
  readonly reloads: number
  /** Connections that the server closed for another reason. */
  readonly dropped: number
  readonly refusedHeartbeats: number
  readonly heldBackHeartbeats: number
  /** The share of one processor. */
  readonly cpuShare: number
  /** One value per second of load. */
  readonly residentKb: readonly number[]
  /** Memory without subscribers. */
  readonly emptyKb: number
}

/** Runs a server under flips, heartbeats and subscribers for a bounded time. */
export async function runFeed(run: FeedRun): Promise<FeedFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const steadyDevices = Math.round((run.steadyHeartbeatsPerS * steadyRoundMs) / 1000)
  const count = flippingDevices + steadyDevices
  await seedDevices(folder, count, 'never seen')
  const devices = Array.from({ length: count }, (_, i) => ({
    id: seededId(i + 1),
    token: seededToken(i + 1),
  }))
  const server = await startServer(folder, { onlineWindowS: onlineWindowMs / 1000 })
  try {
    const driver = new HeartbeatDriver(server.port)
    const flipping = rounds(devices.slice(0, flippingDevices), flipRoundMs)
    const steady = rounds(devices.slice(flippingDevices), steadyRoundMs)
    const sentMs = new Map<string, number>()
    const latencies = new Float64Array(latestMs + 1)
    const onDevice = (id: string) => {
      const ms = performance.now() - (sentMs.get(id) ?? Number.NEGATIVE_INFINITY)
      // An older one is the flip to offline, a window after the heartbeat.
      if (ms < onlineWindowMs - 1000) {
        latencies[Math.floor(ms)] = (latencies[Math.floor(ms)] ?? 0) + 1
      }
    }

    // Bring all devices online before the measurement.
    for (const { token } of devices.slice(flippingDevices)) {
      driver.send(token)
      if (driver.unanswered >= 1000) await wait(tickMs)
    }
    while (driver.unanswered > 0) await wait(tickMs)
    const emptyKb = server.residentKb()
    const clients = Array.from({ length: run.subscribers }, (_, i) => {
      const kind = i % 2 === 0 ? ('stream' as const) : ('websocket' as const)
      return new FeedClient({
        port: server.port,
        kind,
        ...(i % probeEvery < 2 && { onDevice }),
      })
    })
    const sequence = await currentSequence(server.url)
    for (const client of clients) client.open(sequence)

    const residentKb: number[] = []
    const startedMs = performance.now()
    const startedCpuMs = server.cpuMs()
    const elapsedMs = () => performance.now() - startedMs
    let left = 0
    while (elapsedMs() < run.seconds * 1000) {
      const nowMs = elapsedMs()
      for (const { id, token } of flipping.due(nowMs)) {
        sentMs.set(id, performance.now())
        driver.send(token)
      }
      for (const { token } of steady.due(nowMs)) driver.send(token)
      const second = nowMs / 1000
      while (left < second * run.leavingPerS) {
        const client = clients[left % clients.length]
        client?.close()
        client?.open()
        left += 1
      }
      if (residentKb.length < second) residentKb.push(server.residentKb())
      await wait(tickMs)
    }
    const cpuShare = (server.cpuMs() - startedCpuMs) / elapsedMs()
    // Wait for the last flip, a window later, to arrive everywhere. Steady devices keep reporting, because
    // thousands of flips at once would be another load.
    while (elapsedMs() < run.seconds * 1000 + onlineWindowMs + settleMs) {
      for (const { token } of steady.due(elapsedMs())) driver.send(token)
      await wait(tickMs)
    }
    for (const client of clients) client.close()
    driver.close()
    const sum = (figure: (client: FeedClient) => number) =>
      clients.reduce((total, client) => total + figure(client), 0)
    const lastNumber = Math.max(...clients.map(({ last }) => last))
    const behind = sum(({ last, reloads }) => (reloads > 0 ? 0 : lastNumber - last))
    return {
      latencyMs: (share) => quantile(latencies, share),
      messages: sum(({ received }) => received),
      lost: sum(({ lost }) => lost) + behind,
      outOfOrder: sum(({ outOfOrder }) => outOfOrder),
      reloads: sum(({ reloads }) => reloads),
      dropped: sum(({ dropped }) => dropped),
      refusedHeartbeats: driver.refused,
      heldBackHeartbeats: driver.heldBack,
      cpuShare,
      residentKb,
      emptyKb,
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Devices that report one after the other, each once per round. */
function rounds(devices: readonly SeededDevice[], roundMs: number) {
  let reported = 0
  return {
    *due(elapsedMs: number): Generator<SeededDevice> {
      const until = Math.floor((elapsedMs / roundMs) * devices.length)
      while (reported < until) {
        const device = devices[reported % devices.length]
        reported += 1
        if (device !== undefined) yield device
      }
    },
  }
}

function quantile(counts: Float64Array, share: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const [ms, count] of counts.entries()) {
    seen += count
    if (seen >= all * share) return ms
  }
  return counts.length
}
