import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import type { BenchRow } from '../bench-row.ts'
import { driveHeartbeats, scatteredTokens } from './drive-heartbeats.ts'
import type { Load } from './drive-load.ts'
import { fdatasyncMs } from './measure-disk.ts'
import { median } from './median.ts'
import { withServers } from './with-servers.ts'

const counts = [1000, 10_000, 100_000, 1_000_000]
const maxTokens = 200_000
const rounds = 15
const roundMs = 1000
const idleSockets = 10_000
/** The budgets that docs/performance.md lists. */
const budgetedCount = 100_000
const atLeastOfBare = 0.6
const atLeastOfSmallest = 0.8
const p99AtMostMs = 25

/**
 * Durable heartbeats a second beside a bare node:http server that answers 204. All servers run at
 * once and take turns, so that whatever else the machine does falls on each of them alike.
 */
export function measureHeartbeats(): Promise<readonly BenchRow[]> {
  return withServers(counts, async (bare, seeded, folder) => {
    const rows: BenchRow[] = []
    const bareLoads: Load[] = []
    const loads = new Map(counts.map((devices): [number, Load[]] => [devices, []]))
    const syncs: number[] = []
    const tokens = new Map(counts.map((devices) => [devices, scatteredTokens(devices, maxTokens)]))
    const someTokens = scatteredTokens(counts[0] ?? 1, maxTokens)
    // The first round warms up, and is dropped.
    for (let round = 0; round <= rounds; round += 1) {
      const bareLoad = await driveHeartbeats(bare.url, someTokens, roundMs)
      if (round > 0) bareLoads.push(bareLoad)
      for (const { devices, server } of seeded) {
        const load = await driveHeartbeats(server.url, tokens.get(devices) ?? [], roundMs)
        if (round > 0) loads.get(devices)?.push(load)
      }
      syncs.push(fdatasyncMs(folder))
    }

    const bareRate = rateOf(bareLoads)
    const smallestRate = rateOf(loads.get(counts[0] ?? 1) ?? [])
    for (const { devices } of seeded) {
      const measured = loads.get(devices) ?? []
      const name = `${devices.toLocaleString('en')} devices`
      const budget =
        devices === budgetedCount
          ? bareRate * atLeastOfBare
          : devices > budgetedCount
            ? smallestRate * atLeastOfSmallest
            : undefined
      rows.push(
        {
          name: `durable heartbeats, ${name}`,
          value: rateOf(measured),
          unit: 'calls/s',
          reference: bareRate,
          ...(budget !== undefined && { atLeast: budget }),
        },
        {
          name: `median wait, ${name}`,
          value: median(measured.map((load) => load.p50Ms)),
          unit: 'ms',
          reference: median(bareLoads.map((load) => load.p50Ms)),
        },
        {
          name: `p99 wait, ${name}`,
          value: median(measured.map((load) => load.p99Ms)),
          unit: 'ms',
          reference: median(bareLoads.map((load) => load.p99Ms)),
          ...(devices === budgetedCount && { atMost: p99AtMostMs }),
        },
      )
    }
    rows.push({ name: 'fdatasync of the disk', value: median(syncs), unit: 'ms' })

    const [smallest] = seeded
    if (smallest === undefined) return rows
    const sockets = await openIdle(smallest.server.url)
    const crowded: Load[] = []
    for (let round = 0; round < rounds; round += 1) {
      crowded.push(await driveHeartbeats(smallest.server.url, someTokens, roundMs))
    }
    for (const socket of sockets) socket.destroy()
    rows.push({
      name: `durable heartbeats beside ${sockets.length.toLocaleString('en')} idle sockets`,
      value: rateOf(crowded),
      unit: 'calls/s',
      reference: smallestRate,
      atLeast: smallestRate / 2,
    })
    return rows
  })
}

function rateOf(loads: readonly Load[]): number {
  return median(loads.map((load) => load.perSecond))
}

async function openIdle(url: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let count = 0; count < idleSockets; count += 1) {
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.on('error', () => socket.destroy())
    sockets.push(socket)
  }
  return sockets
}
