import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWrk } from '../../scripts/system-tools.ts'
import type { BenchRow } from '../bench-row.ts'
import { startPostgres } from '../cluster/postgres-process.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { median } from '../median.ts'
import { quantile } from '../quantile.ts'
import { driveLoad, writeRequests } from '../server/drive-load.ts'
import { startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { seedSearchFolder, seedSearchPostgres } from './seed-search.ts'
import { Typists } from './typists.ts'

const seed = { devices: 1_000_000, islands: 100_000 }
const connections = 64
const rounds = 8
const turnS = 2
const typedInTurn = 20 * turnS
/** The budgets that docs/performance.md lists. */
const keystrokeAtMostMs = 25
const heartbeatsAtLeast = 0.9

/** Measures searches in 100,000 islands and 1,000,000 devices, alone and beside heartbeats, on both databases. */
export async function measureSearch(): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  try {
    await seedSearchFolder(join(folder, 'sqlite'), seed)
    const onSqlite = await measureServer('SQLite', folder, () =>
      startServer(join(folder, 'sqlite'), { onlineWindowS }),
    )
    rmSync(join(folder, 'sqlite'), { recursive: true })
    return [...onSqlite, ...(await measureOnPostgres(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureOnPostgres(folder: string): Promise<readonly BenchRow[]> {
  const postgres = await startPostgres()
  try {
    const databaseUrl = await postgres.seeded({ online: seed.devices, neverSeen: 0 })
    await seedSearchPostgres(databaseUrl, seed)
    return await measureServer('PostgreSQL', folder, () =>
      startServer(join(folder, 'postgres'), { onlineWindowS, databaseUrl }),
    )
  } finally {
    await postgres.remove()
  }
}

async function measureServer(
  name: string,
  folder: string,
  start: () => Promise<ServerProcess>,
): Promise<readonly BenchRow[]> {
  const server = await start()
  const typists = await Typists.open(server)
  try {
    const requests = writeRequests(folder, 'heartbeats', heartbeatRequests(seed.devices))
    const target = { server, requests, connections }
    const first = await typists.typeAll()
    const cpuBefore = server.cpuMs()
    const alone = await typists.typeAll()
    const cpuMs = (server.cpuMs() - cpuBefore) / alone.length
    await driveLoad(target, turnS)
    const without: number[] = []
    const beside: number[] = []
    const tookBeside: number[] = []
    // In turns, so that other work on the machine affects both alike.
    for (let round = 0; round < rounds; round += 1) {
      without.push((await driveLoad(target, turnS)).perSecond)
      const [load, took] = await Promise.all([
        driveLoad(target, turnS),
        typists.typeWhile(typedInTurn),
      ])
      beside.push(load.perSecond)
      tookBeside.push(...took)
    }
    const reference = median(without)
    return [
      { name: `keystroke, ${name}: median`, value: median(alone), unit: 'ms' },
      {
        name: `keystroke, ${name}: p99`,
        value: quantile(alone, 0.99),
        unit: 'ms',
        atMost: keystrokeAtMostMs,
      },
      { name: `processor time of one in the server, ${name}`, value: cpuMs, unit: 'ms' },
      {
        name: `keystroke, ${name}, right after the start: p99`,
        value: quantile(first, 0.99),
        unit: 'ms',
      },
      {
        name: `keystroke, ${name}, beside as many heartbeats as possible: p99`,
        value: quantile(tookBeside, 0.99),
        unit: 'ms',
        atMost: keystrokeAtMostMs,
      },
      {
        name: `durable heartbeats beside 20 keystrokes/s, ${name}`,
        value: median(beside),
        unit: 'calls/s',
        reference,
        atLeast: reference * heartbeatsAtLeast,
      },
    ]
  } finally {
    typists.close()
    await server.stop()
  }
}
