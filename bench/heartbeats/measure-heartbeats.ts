import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { medianLoad, type Load } from '../server/drive-load.ts'
import { withServers } from '../server/with-servers.ts'
import { driveHeartbeats, scatteredTokens } from './drive-heartbeats.ts'
import { fdatasyncMs } from './fdatasync-ms.ts'

const smallest = 1000
const counts = [smallest, 10_000, 100_000, 1_000_000]
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
 * once and take short turns, so that whatever else the machine does falls on each of them alike.
 */
export function measureHeartbeats(): Promise<readonly BenchRow[]> {
  return withServers(204, counts, async ({ bare, seeded, folder }) => {
    const someTokens = scatteredTokens(smallest, maxTokens)
    const targets = seeded.map(({ devices, server }) => ({
      devices,
      url: server.url,
      tokens: scatteredTokens(devices, maxTokens),
      loads: [] as Load[],
    }))
    const bareLoads: Load[] = []
    const syncs: number[] = []
    // The first round warms up, and is dropped.
    for (let round = 0; round <= rounds; round += 1) {
      const bareLoad = await driveHeartbeats(bare.url, someTokens, roundMs)
      if (round > 0) bareLoads.push(bareLoad)
      for (const { url, tokens, loads } of targets) {
        const load = await driveHeartbeats(url, tokens, roundMs)
        if (round > 0) loads.push(load)
      }
      syncs.push(fdatasyncMs(folder))
    }

    const reference = medianLoad(bareLoads)
    const ofSmallest = medianLoad(targets[0]?.loads ?? [])
    const crowded = await besideIdleSockets(seeded[0]?.server.url ?? '', someTokens)
    return [
      ...targets.flatMap(({ devices, loads }) =>
        figures(devices, medianLoad(loads), reference, ofSmallest),
      ),
      { name: 'fdatasync of the disk', value: median(syncs), unit: 'ms' },
      {
        name: `durable heartbeats beside ${idleSockets.toLocaleString('en')} idle sockets`,
        value: medianLoad(crowded).perSecond,
        unit: 'calls/s',
        reference: ofSmallest.perSecond,
        atLeast: ofSmallest.perSecond / 2,
      },
    ]
  })
}

function figures(devices: number, load: Load, bare: Load, ofSmallest: Load): BenchRow[] {
  const atLeast =
    devices === budgetedCount
      ? bare.perSecond * atLeastOfBare
      : devices > budgetedCount
        ? ofSmallest.perSecond * atLeastOfSmallest
        : undefined
  return [
    {
      name: 'durable heartbeats',
      devices,
      value: load.perSecond,
      unit: 'calls/s',
      reference: bare.perSecond,
      ...(atLeast !== undefined && { atLeast }),
    },
    {
      name: 'median wait of a heartbeat',
      devices,
      value: load.p50Ms,
      unit: 'ms',
      reference: bare.p50Ms,
    },
    {
      name: 'p99 wait of a heartbeat',
      devices,
      value: load.p99Ms,
      unit: 'ms',
      reference: bare.p99Ms,
      ...(devices === budgetedCount && { atMost: p99AtMostMs }),
    },
  ]
}

async function besideIdleSockets(url: string, tokens: readonly string[]): Promise<Load[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let count = 0; count < idleSockets; count += 1) {
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.on('error', () => socket.destroy())
    sockets.push(socket)
  }
  const loads: Load[] = []
  for (let round = 0; round < rounds; round += 1) {
    loads.push(await driveHeartbeats(url, tokens, roundMs))
  }
  for (const socket of sockets) socket.destroy()
  return loads
}
