import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWrk } from '../../scripts/system-tools.ts'
import { readRows } from '../../apps/server/src/test/test-databases.ts'
import type { BenchRow } from '../bench-row.ts'
import { fdatasyncMs } from '../heartbeats/fdatasync-ms.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { median } from '../median.ts'
import { writeRequests } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { takeClusterTurns, type ClusterLoad, type ClusterTarget } from './drive-cluster.ts'
import { devicesToCome, measureCommitToFeed } from './measure-commit-to-feed.ts'
import { startPostgres, type PostgresProcess } from './postgres-process.ts'

const devices = 100_000
const connections = 256
const sizes = [1, 2, 3] as const
const largest = 1_000_000
const starts = 3
/** The budgets that docs/performance.md lists. */
const ofSqliteAtLeast = 0.6
const ofOneAtLeast = 0.8
const toFeedAtMostMs = 500
const startAtMostMs = 8000
const memoryAtMostMb = 600

interface Bench {
  readonly folder: string
  readonly postgres: PostgresProcess
  /** Starts a server. `stopAll` stops it. */
  readonly start: (databaseUrl?: string) => Promise<ServerProcess>
  readonly stopAll: () => Promise<void>
}

/** Measures several servers on one PostgreSQL, beside one on SQLite. */
export async function measureCluster(): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const postgres = await startPostgres()
  const running: ServerProcess[] = []
  const start = async (databaseUrl?: string) => {
    const settings = { onlineWindowS, ...(databaseUrl !== undefined && { databaseUrl }) }
    const server = await startServer(join(folder, 'sqlite'), settings)
    running.push(server)
    return server
  }
  const stopAll = async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()))
  }
  const bench = { folder, postgres, start, stopAll }
  try {
    const rows = await measureServers(bench)
    await stopAll()
    void measureLargest
    return rows
  } finally {
    await stopAll()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureServers({ folder, postgres, start }: Bench): Promise<readonly BenchRow[]> {
  await seedDevices(join(folder, 'sqlite'), devices, 'just seen')
  const seeded = await postgres.seeded({ online: devices, neverSeen: 2 * devicesToCome })
  const requests = heartbeatRequests(devices)
  const targetOf = (servers: readonly ServerProcess[]): ClusterTarget => ({
    connections,
    // Each device reports to one server, as over a kept connection.
    servers: servers.map((server, at) => {
      const own = requests.filter((_, i) => i % servers.length === at)
      return { server, requests: writeRequests(folder, `to-${at}-of-${servers.length}`, own) }
    }),
  })
  const targets = new Map<number, ClusterTarget>([[0, targetOf([await start()])]])
  let clusterUrl = ''
  let cluster: ServerProcess[] = []
  for (const size of sizes) {
    // Each group has its own database, so that they can take turns.
    clusterUrl = await postgres.copied(seeded)
    cluster = []
    for (let count = 0; count < size; count += 1) cluster.push(await start(clusterUrl))
    targets.set(size, { ...targetOf(cluster), databaseCpuMs: postgres.cpuMs })
  }
  const load = await takeClusterTurns(targets)
  return [
    ...heartbeatRows(load),
    { name: 'fdatasync of the disk', value: fdatasyncMs(folder), unit: 'ms' },
    ...(await measureFeeds(clusterUrl, cluster)),
  ]
}

function heartbeatRows(load: (size: number) => ClusterLoad): readonly BenchRow[] {
  const [sqlite, one] = [load(0), load(1)]
  return [
    { name: 'durable heartbeats, SQLite', value: sqlite.perSecond, unit: 'calls/s' },
    { name: 'p99, SQLite', value: sqlite.p99Ms, unit: 'ms' },
    { name: 'server of one, SQLite', value: sqlite.serverUs[0] ?? Number.NaN, unit: 'µs' },
    ...sizes.flatMap((size) => {
      const { perSecond, perCpuSecond } = load(size)
      const name = size === 1 ? 'one server' : `${size} servers`
      const rows: BenchRow[] = [
        {
          name: `durable heartbeats, ${name}`,
          value: perSecond,
          unit: 'calls/s',
          reference: sqlite.perSecond,
          ...(size === 1 && { atLeast: sqlite.perSecond * ofSqliteAtLeast }),
        },
        {
          name: `heartbeats per second of processors, ${name}`,
          value: perCpuSecond,
          unit: 'calls/s',
          reference: size === 1 ? sqlite.perCpuSecond : one.perCpuSecond,
          ...(size > 1 && { atLeast: one.perCpuSecond * ofOneAtLeast }),
        },
      ]
      return rows.concat(costRows(name, load(size), sqlite))
    }),
  ]
}

function costRows(name: string, load: ClusterLoad, sqlite: ClusterLoad): readonly BenchRow[] {
  const { p99Ms, serverUs, databaseUs } = load
  const servers = serverUs.map((value, at) => ({
    name: `server ${at + 1} of one, ${name}`,
    value,
    unit: 'µs' as const,
  }))
  return [
    { name: `p99, ${name}`, value: p99Ms, unit: 'ms', reference: sqlite.p99Ms },
    ...servers,
    { name: `PostgreSQL of one, ${name}`, value: databaseUs, unit: 'µs' },
  ]
}

/** @param servers in the order of their start, which is that of their writer numbers */
async function measureFeeds(
  url: string,
  servers: readonly ServerProcess[],
): Promise<readonly BenchRow[]> {
  const [place] = await readRows(
    url,
    `select (select count(*) from writers where writer < leadership.writer)::integer as at
     from leadership`,
  )
  const leader = servers[Number(place?.['at'])]
  const [other, another] = servers.filter((server) => server !== leader)
  if (leader === undefined || other === undefined || another === undefined) {
    throw new Error('no leader with two followers')
  }
  const first = devices + 1
  const runs = [
    ['the leader', { taker: leader, teller: other, first }],
    ['another', { taker: other, teller: another, first: first + devicesToCome }],
  ] as const
  const rows: BenchRow[] = []
  for (const [name, run] of runs) {
    const tookMs = await measureCommitToFeed(run)
    rows.push(
      { name: `commit by ${name} to feed, median`, value: tookMs(0.5), unit: 'ms' },
      {
        name: `commit by ${name} to feed, p99`,
        value: tookMs(0.99),
        unit: 'ms',
        atMost: toFeedAtMostMs,
      },
    )
  }
  return rows
}

/** Like the scenario `start` on SQLite: the time until it is ready, and memory after serving the list. */
async function measureLargest({ postgres, start, stopAll }: Bench): Promise<readonly BenchRow[]> {
  const url = await postgres.seeded({ online: largest, neverSeen: 0 })
  const times: number[] = []
  const residents: number[] = []
  for (let count = 0; count < starts; count += 1) {
    const server = await start(url)
    times.push(server.startMs)
    const list = await fetch(`${server.url}/api/devices`)
    await list.arrayBuffer()
    residents.push(server.residentKb() / 1000)
    await stopAll()
  }
  return [
    {
      name: 'start on PostgreSQL',
      devices: largest,
      value: median(times),
      unit: 'ms',
      atMost: startAtMostMs,
    },
    {
      name: 'memory on PostgreSQL with the list served',
      devices: largest,
      value: median(residents),
      unit: 'MB',
      atMost: memoryAtMostMb,
    },
  ]
}
