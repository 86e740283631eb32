import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverCommand } from '../../apps/server/src/test/launch-server.ts'
import { freePort } from '../../apps/server/src/test/listen.ts'
import type { BenchRow } from '../bench-row.ts'
import { startPostgres } from '../cluster/postgres-process.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { median } from '../median.ts'
import { driveLoad, medianLoad, writeRequests, type Load } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startProcess, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import type { RoomFigures, RoomLoad } from './drive-room.ts'
import { seedRoom } from './seed-room.ts'

const load = { pages: 500, perSecond: 50, seconds: 10 }
const rounds = 3
const devices = 1000
const heartbeatConnections = 16
/** The budgets that docs/performance.md lists. */
const atMostMs = { sqlite: 150, postgres: 300 }
const driver = fileURLToPath(new URL('drive-room.ts', import.meta.url))

interface Room {
  readonly servers: readonly ServerProcess[]
  readonly databaseCpuMs?: () => number
}

interface Figures extends RoomFigures {
  /** Processor time in ms per second. */
  readonly serverMs: number
  readonly databaseMs: number
}

/** Measures a full room on one server with SQLite and on two with PostgreSQL, beside a bare one. */
export async function measureRoom(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const postgres = await startPostgres()
  const running: ServerProcess[] = []
  const start = async (...process: Parameters<typeof startProcess>) => {
    const server = await startProcess(...process)
    running.push(server)
    return server
  }
  try {
    const dataDir = join(folder, 'sqlite')
    await seedDevices(dataDir, devices, 'just seen')
    await seedRoom({ dataDir }, load.pages)
    const databaseUrl = await postgres.seeded({ online: 1, neverSeen: 0 })
    await seedRoom({ dataDir, databaseUrl }, load.pages)

    const bare: Room = { servers: [await start([process.execPath, 'bench/room/bare-room.ts'], {})] }
    const one = await start(serverCommand, settingsFor(dataDir, '0'))
    const two: ServerProcess[] = []
    while (two.length < 2) {
      const port = String(await freePort())
      const place = { DATABASE_URL: databaseUrl, INSTANCE_URL: `http://127.0.0.1:${port}` }
      two.push(await start(serverCommand, { ...settingsFor(dataDir, port), ...place }))
    }
    const sqlite: Room = { servers: [one] }
    const cluster: Room = { servers: two, databaseCpuMs: postgres.cpuMs }
    const figures = await takeTurns([bare, sqlite, cluster])
    return [
      ...rowsOf('bare', figures(bare)),
      ...rowsOf('SQLite', figures(sqlite), { bare: figures(bare), atMost: atMostMs.sqlite }),
      ...rowsOf('two servers on PostgreSQL', figures(cluster), {
        bare: figures(bare),
        atMost: atMostMs.postgres,
      }),
      ...(await measureBeside(folder, one)),
    ]
  } finally {
    for (const server of running) await server.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function settingsFor(dataDir: string, port: string) {
  return {
    DATA_DIR: dataDir,
    PORT: port,
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: String(onlineWindowS),
  }
}

/** Fills rooms one after the other. The first round is a warm-up and does not count. */
async function takeTurns(rooms: readonly Room[]): Promise<(room: Room) => Figures> {
  const turns = new Map(rooms.map((room) => [room, [] as Figures[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [room, all] of turns) {
      const figures = await fillRoom(room)
      if (round > 0) all.push(figures)
    }
  }
  return (room) => medianFigures(turns.get(room) ?? [])
}

/** @param meanwhile work that ends by itself, which begins with the messages */
async function fillRoom(
  { servers, databaseCpuMs = () => 0 }: Room,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<Figures> {
  const work: RoomLoad = { ...load, ports: servers.map(({ port }) => port) }
  const child = fork(driver, [JSON.stringify(work)])
  const cpuMs = () => servers.reduce((sum, server) => sum + server.cpuMs(), 0)
  const used = { server: 0, database: 0 }
  const note = (sign: 1 | -1) => {
    used.server += (sign * cpuMs()) / load.seconds
    used.database += (sign * databaseCpuMs()) / load.seconds
  }
  let beside = Promise.resolve()
  const figures = await new Promise<RoomFigures>((resolve, reject) => {
    child.on('message', (said: 'sending' | 'sent' | RoomFigures) => {
      if (said === 'sending') {
        note(-1)
        beside = meanwhile()
      } else if (said === 'sent') note(1)
      else resolve(said)
    })
    child.on('close', () => reject(new Error('the driver of the room failed')))
  })
  await beside
  return { ...figures, serverMs: used.server, databaseMs: used.database }
}

function medianFigures(all: readonly Figures[]): Figures {
  const of = (figure: (figures: Figures) => number) => median(all.map(figure))
  const worst = (figure: (figures: Figures) => number) => Math.max(...all.map(figure))
  return {
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    lost: worst(({ lost }) => lost),
    misplaced: worst(({ misplaced }) => misplaced),
    refused: worst(({ refused }) => refused),
    driverMs: of(({ driverMs }) => driverMs),
    serverMs: of(({ serverMs }) => serverMs),
    databaseMs: of(({ databaseMs }) => databaseMs),
  }
}

function rowsOf(
  where: string,
  figures: Figures,
  to?: { readonly bare: Figures; readonly atMost: number },
): BenchRow[] {
  const name = `a message to all of ${load.pages} pages`
  const reference = (of: (figures: Figures) => number) => to && { reference: of(to.bare) }
  const errors = figures.lost + figures.misplaced + figures.refused
  return [
    {
      name: `${name}, ${where}: median`,
      value: figures.p50Ms,
      unit: 'ms',
      ...reference(({ p50Ms }) => p50Ms),
    },
    {
      name: `p99, ${where}`,
      value: figures.p99Ms,
      unit: 'ms',
      ...reference(({ p99Ms }) => p99Ms),
      ...(to && { atMost: to.atMost }),
    },
    {
      name: `servers' processor time per second, ${where}`,
      value: figures.serverMs,
      unit: 'ms',
      ...reference(({ serverMs }) => serverMs),
    },
    ...(figures.databaseMs > 0
      ? [{ name: `PostgreSQL's, ${where}`, value: figures.databaseMs, unit: 'ms' } as const]
      : []),
    { name: `driver's, ${where}`, value: figures.driverMs, unit: 'ms' },
    { name: `lost, misplaced or refused, ${where}`, value: errors, unit: 'calls', atMost: 0 },
  ]
}

/** As many heartbeats as possible, alone and beside a full room. */
async function measureBeside(folder: string, server: ServerProcess): Promise<BenchRow[]> {
  const requests = writeRequests(folder, 'beats', heartbeatRequests(devices))
  const beats = { server, requests, connections: heartbeatConnections }
  const alone: Load[] = []
  const beside: Load[] = []
  const full: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await driveLoad(beats, load.seconds))
    const figures = await fillRoom({ servers: [server] }, async () => {
      beside.push(await driveLoad(beats, load.seconds))
    })
    full.push(figures)
  }
  const [without, with_] = [medianLoad(alone), medianLoad(beside)]
  const { p50Ms, p99Ms } = medianFigures(full)
  return [
    {
      name: 'p99 of heartbeats beside a full room',
      value: with_.p99Ms,
      unit: 'ms',
      reference: without.p99Ms,
    },
    {
      name: 'heartbeats beside a full room',
      value: with_.perSecond,
      unit: 'calls/s',
      reference: without.perSecond,
    },
    { name: 'a message to all, beside as many heartbeats as possible', value: p50Ms, unit: 'ms' },
    { name: 'its p99', value: p99Ms, unit: 'ms' },
  ]
}
