import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { driveLoad, medianLoad, writeRequests, type Load } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { heartbeatRequests } from './heartbeat-requests.ts'

const rounds = 5
const durationS = 2

interface ComingOnline {
  readonly bare: ServerProcess
  readonly folder: string
  readonly devices: number
  readonly connections: number
}

/** Measures first heartbeats, each of which brings a device online, beside a bare server. */
export async function measureComingOnline({ bare, folder, devices, connections }: ComingOnline) {
  const requests = writeRequests(folder, 'first-heartbeats', heartbeatRequests(devices))
  const neverSeen = join(folder, 'never-seen')
  await seedDevices(neverSeen, devices, 'never seen')
  const bareLoads: Load[] = []
  const loads: Load[] = []
  for (let round = 0; round < rounds; round += 1) {
    bareLoads.push(await driveLoad({ server: bare, requests, connections }))
    const dataDir = join(folder, 'coming-online')
    cpSync(neverSeen, dataDir, { recursive: true })
    const server = await startServer(dataDir, { onlineWindowS })
    try {
      const load = await driveLoad({ server, requests, connections }, durationS)
      if (load.perSecond * durationS > devices)
        throw new Error('all devices were online before the end')
      loads.push(load)
    } finally {
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
  }
  return { bareLoad: medianLoad(bareLoads), load: medianLoad(loads) }
}
