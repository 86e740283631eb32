import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runToEnd } from '../../apps/server/src/test/launch-server.ts'
import { findWrk } from '../../scripts/system-tools.ts'
import type { BenchRow } from '../bench-row.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { takeTurns, writeRequests } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startProcess, startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'

const devices = 1000
const shared = 100_000
const connections = 64
const settleMs = 3000
/** The budget that docs/performance.md lists. */
const snapshotMs = 3000
const metricsToken = 'bench'

/** Measures a neighbour of 100,000 devices, well-behaved and hostile, beside a server that follows nobody. */
export async function measureNeighbours(): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const running: ServerProcess[] = []
  const start = async (name: string) => {
    const dataDir = join(folder, name)
    await seedDevices(dataDir, devices, 'just seen')
    const env = { ALLOW_PRIVATE_TARGETS: 'on', METRICS_TOKEN: metricsToken }
    const server = await startServer(dataDir, { onlineWindowS, env })
    running.push(server)
    return { server, dataDir }
  }
  const play = async (...options: readonly string[]) => {
    const played = await startProcess(
      [process.execPath, 'scripts/neighbours/conformance.ts', 'serve', ...options],
      {},
    )
    running.push(played)
    return played.url
  }
  try {
    const alone = await start('alone')
    const beside = await start('beside')
    const attacked = await start('attacked')
    await wait(settleMs)

    const before = beside.server.cpuMs()
    await follow(beside.dataDir, await play('--devices', String(shared), '--changes', '200'))
    await reaches(beside.server.url, shared)
    const tookMs = beside.server.cpuMs() - before
    await follow(
      attacked.dataDir,
      await play('--devices', '20000', '--changes', '900', '--snapshots', '20'),
    )

    const requests = writeRequests(folder, 'heartbeats', heartbeatRequests(devices))
    const targets = [alone, beside, attacked].map(({ server }) => ({
      server,
      requests,
      connections,
    }))
    const load = await takeTurns(targets)
    const [reference, ...others] = targets.map((target) => load(target))
    if (reference === undefined) return []
    return [
      {
        name: `first snapshot of ${shared} devices: processor time`,
        value: tookMs,
        unit: 'ms',
        atMost: snapshotMs,
      },
      ...['200 changes a second', 'a snapshot every three seconds'].flatMap((what, at) => {
        const measured = others[at]
        if (measured === undefined) return []
        return [
          {
            name: `heartbeats beside a neighbour with ${what}`,
            value: measured.perSecond,
            unit: 'calls/s' as const,
            reference: reference.perSecond,
          },
          {
            name: `heartbeats beside a neighbour with ${what}: p99`,
            value: measured.p99Ms,
            unit: 'ms' as const,
            reference: reference.p99Ms,
          },
        ]
      }),
    ]
  } finally {
    for (const server of running) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function follow(dataDir: string, address: string): Promise<void> {
  const { PATH } = process.env
  const { code, stderr } = await runToEnd({
    env: { PATH, DATA_DIR: dataDir },
    command: [process.execPath, 'apps/server/src/admin.ts', 'neighbours', 'add', address, '--yes'],
  })
  if (code !== 0) throw new Error(stderr)
}

async function reaches(url: string, count: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/neighbours`)
    const { neighbours }: { neighbours: readonly { deviceCount: number }[] } = JSON.parse(
      await answer.text(),
    )
    if (neighbours[0]?.deviceCount === count) return
    await wait(200)
  }
}
