import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findWrk } from '../../scripts/system-tools.ts'
import type { BenchRow } from '../bench-row.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { takeTurns, writeRequests } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startBareServer, startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { seedChecks } from './seed-checks.ts'

const devices = 1000
const users = 10
const checks = 1000
const periodS = 60
const connections = 64
const settleMs = 5000
const metricsToken = 'bench'
/** The budget that docs/performance.md lists: 3 % of a core. */
const processorAtMostMs = 30

/** Measures 1,000 checks of a page, once a minute each, beside the same server without checks. */
export async function measureChecks(): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const running: ServerProcess[] = []
  const start = async (name: string, url?: string) => {
    const dataDir = join(folder, name)
    await seedDevices(dataDir, devices, 'just seen')
    if (url !== undefined) {
      const target = {
        kind: 'http',
        url,
        statuses: '200-299',
        text: null,
        followsRedirects: true,
        periodS,
        timeoutS: 10,
      } as const
      seedChecks(dataDir, { count: checks, users, target })
    }
    const env = {
      ALLOW_PRIVATE_TARGETS: 'on',
      CHECK_CONTROL_TARGETS: 'off',
      METRICS_TOKEN: metricsToken,
    }
    const server = await startServer(dataDir, { onlineWindowS, env })
    running.push(server)
    return server
  }
  try {
    const page = await startBareServer(204)
    running.push(page)
    const without = await start('without')
    const beside = await start('beside', page.url)
    await wait(settleMs)
    const before = [without.cpuMs(), beside.cpuMs()] as const
    await wait(periodS * 1000)
    const idleMs = (without.cpuMs() - before[0]) / periodS
    const looksMs = (beside.cpuMs() - before[1]) / periodS - idleMs
    const looks = await readLooks(beside.url)
    const requests = writeRequests(folder, 'heartbeats', heartbeatRequests(devices))
    const targets = [without, beside].map((server) => ({ server, requests, connections }))
    const load = await takeTurns(targets)
    const [alone, besideChecks] = targets.map((target) => load(target))
    if (alone === undefined || besideChecks === undefined) return []
    return [
      { name: `looks in ${periodS} s`, value: looks, unit: 'calls', atLeast: checks * 0.99 },
      {
        name: `${checks} checks of ${periodS} s: processor time in a second`,
        value: looksMs,
        unit: 'ms',
        atMost: processorAtMostMs,
      },
      {
        name: 'heartbeats beside them: p99',
        value: besideChecks.p99Ms,
        unit: 'ms',
        reference: alone.p99Ms,
      },
      {
        name: 'heartbeats beside them',
        value: besideChecks.perSecond,
        unit: 'calls/s',
        reference: alone.perSecond,
      },
    ]
  } finally {
    for (const server of running) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Looks that were answered since the start. */
async function readLooks(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const text = await answer.text()
  return Number(/^astropelago_check_looks_total\{outcome="up"\} (\d+)/m.exec(text)?.[1])
}
