import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findWrk } from '../../scripts/system-tools.ts'
import type { BenchOptions, BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { driveLoad, writeRequests } from '../server/drive-load.ts'
import { startProcess } from '../server/server-process.ts'
import { besideDownloads, download, openSlowReader, upload, type Door } from './carry-bytes.ts'
import { checkOut } from './check-out.ts'
import { settleMs, startRelay, type RelayWay, type Way } from './relay-way.ts'
import { startSshForward } from './ssh-forward.ts'

const slowReaders = 100
/** How many connections send small requests in the measurements that are about something else. */
const usualConnections = 16
const fullConnections = 64
const rounds = 7

/** The budgets that docs/performance.md lists. */
const requestsAtLeast = 0.9
const transfersAtLeast = 0.8
const shareAtLeast = 0.8
const addedAtMostMs = 0.15
const serverAtMostUs = 150
const agentAtMostUs = 50
const idleAtMostKb = 100
/** A window of 0.5 MiB for each, and as much again in buffers. */
const slowAtMostMb = 100

interface Ways {
  readonly relay: RelayWay
  readonly before: RelayWay | undefined
  /** The reference. */
  readonly proxy: Way
  readonly ssh: Way
}

/** Measures the relay beside a plain proxy to the same service, `ssh -R` and another version of itself. */
export async function measureRelay({ before }: BenchOptions): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const stops: (() => unknown)[] = []
  const onStart = (stop: () => unknown) => void stops.push(stop)
  const start = async (name: string, root: string) => {
    const own = join(folder, name)
    mkdirSync(own)
    return await startRelay({ name, root, folder: own, service: service.url, onStart })
  }
  const service = await startProcess([process.execPath, 'bench/relay/home-service.ts'], {})
  stops.push(service.stop)
  try {
    const proxy = await startProcess([process.execPath, 'bench/relay/plain-proxy.ts'], {
      TARGET: service.url,
    })
    stops.push(proxy.stop)
    const ssh = await startSshForward(folder, new URL(service.url))
    stops.push(ssh.stop)
    const sshPort = Number(new URL(ssh.url).port)
    const checkout = join(folder, 'checkout')
    if (before !== undefined) stops.push(checkOut(before, checkout))
    const ways = {
      relay: await start('relay', process.cwd()),
      before: before === undefined ? undefined : await start('before', checkout),
      proxy: { name: 'proxy', server: proxy, port: proxy.port, host: `127.0.0.1:${proxy.port}` },
      ssh: { name: 'ssh -R', port: sshPort, host: `127.0.0.1:${sshPort}` },
    }
    // First: later, memory that is free again would hold what they need.
    const slow = await measureSlowReaders(folder, ways)
    return [
      ...(await measureRequests(folder, ways)),
      ...(await measureTransfers(ways)),
      ...(await measureShares(folder, ways)),
      ...(await measureBesideDownloads(folder, ways)),
      ...slow,
      ...relaysOf(ways).map((way) => ({
        name: nameFor(way, 'memory per idle agent, of 1,000'),
        value: way.kbPerIdleAgent,
        unit: 'kB' as const,
        atMost: idleAtMostKb,
      })),
    ]
  } finally {
    for (const stop of stops.toReversed()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureRequests(folder: string, ways: Ways): Promise<readonly BenchRow[]> {
  const one = await takeTurns(allOf(ways), (way) => requestOf(folder, way, 1))
  const some = await takeTurns(allOf(ways), (way) => requestOf(folder, way, usualConnections))
  const many = await takeTurns(allOf(ways), (way) => requestOf(folder, way, fullConnections))
  const p50Ms = one('p50Ms')
  const addedMs = (way: Way) => (way === ways.proxy ? Number.NaN : p50Ms(way) - p50Ms(ways.proxy))
  return [
    ...rowsOf('small answers, 1 connection', 'calls/s', ways, one('perSecond')),
    ...rowsOf(
      `small answers, ${usualConnections} connections`,
      'calls/s',
      ways,
      some('perSecond'),
      (reference) => ({ atLeast: reference * requestsAtLeast }),
    ),
    ...rowsOf(
      `small answers, ${fullConnections} connections`,
      'calls/s',
      ways,
      many('perSecond'),
      (reference) => ({ atLeast: reference * requestsAtLeast }),
    ),
    ...rowsOf('p50 of one at a time, above the proxy’s', 'ms', ways, addedMs, () => ({
      atMost: addedAtMostMs,
    })),
    ...rowsOf('processor time of one in the server', 'µs', ways, some('serverUs'), () => ({
      atMost: serverAtMostUs,
    })),
    ...rowsOf('processor time of one in the agent', 'µs', ways, some('agentUs'), () => ({
      atMost: agentAtMostUs,
    })),
  ]
}

async function measureTransfers(ways: Ways): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, carry] of Object.entries({ download, upload })) {
    const of = await takeTurns(allOf(ways), async (way) => {
      const { result: mbPerS, serverMs, agentMs } = await withUsage(way, () => carry(way))
      return { mbPerS, serverMs, agentMs }
    })
    const what = `${name} of 64 MiB`
    rows.push(
      ...rowsOf(what, 'MB/s', ways, of('mbPerS'), (reference) => ({
        atLeast: reference * transfersAtLeast,
      })),
      ...rowsOf(`${what}, processor time in the server`, 'ms', ways, of('serverMs')),
      ...rowsOf(`${what}, processor time in the agent`, 'ms', ways, of('agentMs')),
    )
  }
  return rows
}

/** What one island leaves of the server to another. */
async function measureShares(folder: string, ways: Ways): Promise<readonly BenchRow[]> {
  const of = await takeTurns(relaysOf(ways), async (way) => {
    const alone = await drive(folder, way.other, usualConnections)
    const [crowd, beside] = await Promise.all([
      drive(folder, way, fullConnections),
      drive(folder, way.other, usualConnections),
    ])
    const half = (crowd.perSecond + beside.perSecond) / 2
    return { beside: beside.perSecond, share: Math.min(half, alone.perSecond) }
  })
  return relaysOf(ways).map((way) => {
    const reference = of('share')(way)
    return {
      name: nameFor(
        way,
        `an island’s ${usualConnections} connections beside another’s ${fullConnections}`,
      ),
      value: of('beside')(way),
      unit: 'calls/s',
      reference,
      atLeast: reference * shareAtLeast,
    }
  })
}

async function measureBesideDownloads(folder: string, ways: Ways): Promise<readonly BenchRow[]> {
  const of = await takeTurns(measuredOf(ways), (way) =>
    besideDownloads(way, () => requestOf(folder, way, usualConnections)),
  )
  return rowsOf('p99 of small answers beside two downloads', 'ms', ways, of('p99Ms'))
}

/** All ways have their slow readers at the same time. */
async function measureSlowReaders(folder: string, ways: Ways): Promise<readonly BenchRow[]> {
  const measured = measuredOf(ways)
  const before = new Map(measured.map((way) => [way, residentOf(way)]))
  const leave = await Promise.all(
    measured.flatMap((way) => Array.from({ length: slowReaders }, () => openSlowReader(way))),
  )
  await wait(settleMs)
  const after = new Map(measured.map((way) => [way, residentOf(way)]))
  const of = await takeTurns(measured, (way) => requestOf(folder, way, usualConnections))
  for (const go of leave) go()
  const grownMb = (end: 'server' | 'agent') => (way: Way) =>
    ((after.get(way)?.[end] ?? Number.NaN) - (before.get(way)?.[end] ?? Number.NaN)) / 1024
  const readers = `${slowReaders} slow downloads`
  return [
    ...rowsOf(`memory for ${readers} in the server`, 'MB', ways, grownMb('server'), () => ({
      atMost: slowAtMostMb,
    })),
    ...rowsOf(`memory for ${readers} in the agent`, 'MB', ways, grownMb('agent'), () => ({
      atMost: slowAtMostMb,
    })),
    ...rowsOf(`p99 of small answers beside ${readers}`, 'ms', ways, of('p99Ms')),
  ]
}

const relaysOf = ({ relay, before }: Ways) => (before === undefined ? [relay] : [relay, before])
/** Those whose processes are measured. */
const measuredOf = (ways: Ways): readonly Way[] => [...relaysOf(ways), ways.proxy]
const allOf = (ways: Ways): readonly Way[] => [...measuredOf(ways), ways.ssh]

const nameFor = ({ name }: Way, figure: string) =>
  name === 'relay' ? figure : `${figure}, ${name}`

/** The relay's row and those of the other ways that have the figure, beside the proxy's. */
function rowsOf(
  figure: string,
  unit: BenchRow['unit'],
  ways: Ways,
  of: (way: Way) => number,
  budget: (reference: number) => Pick<BenchRow, 'atMost' | 'atLeast'> = () => ({}),
): readonly BenchRow[] {
  const reference = of(ways.proxy)
  const rowOf = (way: Way): BenchRow => ({
    name: nameFor(way, figure),
    value: of(way),
    unit,
    ...(!Number.isNaN(reference) && { reference }),
    ...(way === ways.relay && budget(reference)),
  })
  return allOf(ways)
    .filter((way) => way !== ways.proxy && !Number.isNaN(of(way)))
    .map((way) => rowOf(way))
}

/**
 * Measures in short turns, one way after the other, so that other work on the machine affects all ways alike.
 * The first round is a warm-up and does not count.
 * @returns the medians
 */
async function takeTurns<Kind extends Way, Figure extends string>(
  ways: readonly Kind[],
  measure: (way: Kind) => Promise<Readonly<Record<Figure, number>>>,
) {
  const turns = new Map(ways.map((way) => [way.name, [] as Readonly<Record<Figure, number>>[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ways) {
      const figures = await measure(way)
      if (round > 0) turns.get(way.name)?.push(figures)
    }
  }
  return (figure: Figure) => (way: Way) =>
    median((turns.get(way.name) ?? []).map((figures) => figures[figure]))
}

async function requestOf(folder: string, way: Way, connections: number) {
  const { result, serverMs, agentMs } = await withUsage(way, () => drive(folder, way, connections))
  const { count, perSecond, p50Ms, p99Ms } = result
  const [serverUs, agentUs] = [(serverMs * 1000) / count, (agentMs * 1000) / count]
  return { perSecond, p50Ms, p99Ms, serverUs, agentUs }
}

function drive(folder: string, { port, host }: Door, connections: number) {
  const get = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const requests = writeRequests(folder, host, [get])
  return driveLoad({ url: `http://127.0.0.1:${port}`, requests, connections })
}

function residentOf({ server, agent }: Way) {
  return { server: server?.residentKb() ?? Number.NaN, agent: agent?.residentKb() ?? Number.NaN }
}

/** The processor time of both ends meanwhile; NaN for an end that is not measured. */
async function withUsage<Result>({ server, agent }: Way, run: () => Promise<Result>) {
  const [serverMs, agentMs] = [server?.cpuMs() ?? Number.NaN, agent?.cpuMs() ?? Number.NaN]
  const result = await run()
  return {
    result,
    serverMs: (server?.cpuMs() ?? Number.NaN) - serverMs,
    agentMs: (agent?.cpuMs() ?? Number.NaN) - agentMs,
  }
}
