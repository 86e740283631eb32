import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { BenchRow } from '../bench-row.ts'
import { takeTurns, writeRequests, type Load, type Target } from '../server/drive-load.ts'
import { withServers } from '../server/with-servers.ts'
import { fdatasyncMs } from './fdatasync-ms.ts'
import { heartbeatRequests } from './heartbeat-requests.ts'
import { measureSchedules } from './measure-schedules.ts'
import { measureComingOnline } from './measure-coming-online.ts'

const counts = [1000, 10_000, 100_000, 1_000_000]
/** The number of devices, except for how cost grows. */
const usual = 100_000
const few = 64
const many = 256
const idleSockets = 10_000
/** The budgets that docs/performance.md lists. */
const ofBareAtLeast = { few: 0.5, many: 0.7, comingOnline: 0.35 }
const ofSmallestAtLeast = 0.8
const p99AtMostMs = 25

/** Measures durable heartbeats beside a bare node:http server that answers 204. */
export function measureHeartbeats(): Promise<readonly BenchRow[]> {
  return withServers(204, counts, async ({ bare, seeded, folder }) => {
    const targets = seeded.map(({ devices, server }) => ({
      devices,
      server,
      requests: writeRequests(folder, `heartbeats-${devices}`, heartbeatRequests(devices)),
      connections: many,
    }))
    const byMany = targets.find(({ devices }) => devices === usual)
    const [smallest] = targets
    if (byMany === undefined || smallest === undefined) return []
    const byFew = { ...byMany, connections: few }
    const bareByFew = { ...byFew, server: bare }
    const bareByMany = { ...byMany, server: bare }

    const load = await takeTurns([bareByFew, byFew, bareByMany, ...targets])
    const crowded = await besideIdleSockets(smallest)
    const scheduled = await measureSchedules(byMany, folder)
    const first = await measureComingOnline({ bare, folder, devices: usual, connections: many })
    const bySmallest = load(smallest).perSecond
    return [
      ...figures(`${few} connections`, load(byFew), load(bareByFew), ofBareAtLeast.few),
      ...figures(`${many} connections`, load(byMany), load(bareByMany), ofBareAtLeast.many),
      scheduled,
      ...figures('all come online', first.load, first.bareLoad, ofBareAtLeast.comingOnline),
      { name: 'fdatasync of the disk', value: fdatasyncMs(folder), unit: 'ms' },
      ...targets.map((target): BenchRow => ({
        name: `durable heartbeats, ${many} connections`,
        devices: target.devices,
        value: load(target).perSecond,
        unit: 'calls/s',
        reference: bySmallest,
        atLeast: bySmallest * ofSmallestAtLeast,
      })),
      {
        name: `durable heartbeats beside ${idleSockets.toLocaleString('en')} idle sockets`,
        value: crowded.perSecond,
        unit: 'calls/s',
        reference: bySmallest,
        atLeast: bySmallest / 2,
      },
    ]
  })
}

function figures(name: string, load: Load, bare: Load, ofBare: number): BenchRow[] {
  return [
    {
      name: `durable heartbeats, ${name}`,
      value: load.perSecond,
      unit: 'calls/s',
      reference: bare.perSecond,
      atLeast: bare.perSecond * ofBare,
    },
    { name: `median, ${name}`, value: load.p50Ms, unit: 'ms', reference: bare.p50Ms },
    {
      name: `p99, ${name}`,
      value: load.p99Ms,
      unit: 'ms',
      reference: bare.p99Ms,
      atMost: p99AtMostMs,
    },
    { name: `main thread of one, ${name}`, value: load.mainUs, unit: 'µs', reference: bare.mainUs },
    { name: `SQLite's thread of one, ${name}`, value: load.sqliteUs, unit: 'µs' },
  ]
}

async function besideIdleSockets(target: Target): Promise<Load> {
  const { hostname, port } = new URL(target.server.url)
  const sockets: Socket[] = []
  for (let count = 0; count < idleSockets; count += 1) {
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.on('error', () => socket.destroy())
    sockets.push(socket)
  }
  const load = await takeTurns([target])
  for (const socket of sockets) socket.destroy()
  return load(target)
}
