import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findWrk } from '../../scripts/system-tools.ts'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { driveLoad, medianLoad, writeRequests, type Load } from '../server/drive-load.ts'
import { seededToken } from '../server/seeded-device.ts'
import { startProcess, startServer, type ServerProcess } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { download, isAnswering, openSlowReader, upload, type Door } from './carry-bytes.ts'
import { islandHost, seedRelay } from './seed-relay.ts'
import { startSshForward } from './ssh-forward.ts'

const idleAgents = 1000
const slowReaders = 100
const connections = 32
const rounds = 8
const largeRounds = 5
/** The time for memory to settle. */
const settleMs = 4000
/** The budgets that docs/performance.md lists. */
const requestsAtLeast = 0.6
const downloadAtLeast = 0.5
const addedAtMostMs = 0.5
const idleAtMostKb = 100
/** Windows of 0.5 MiB, and as much again in buffers. */
const slowAtMostMb = 100

/** A way to the service. `server` is set if its server is measured. */
interface Way extends Door {
  readonly name: string
  readonly server?: ServerProcess
}

/** Measures the relay beside a plain proxy to the same service and `ssh -R`. */
export async function measureRelay(): Promise<readonly BenchRow[]> {
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const stops: (() => unknown)[] = []
  try {
    const service = await startProcess([process.execPath, 'bench/relay/home-service.ts'], {})
    stops.push(service.stop)
    const proxy = await startProcess([process.execPath, 'bench/relay/plain-proxy.ts'], {
      TARGET: service.url,
    })
    stops.push(proxy.stop)
    const ssh = await startSshForward(folder, new URL(service.url))
    stops.push(ssh.stop)
    await seedRelay(join(folder, 'data'), idleAgents + 1)
    const server = await startServer(join(folder, 'data'), { onlineWindowS })
    stops.push(server.stop)
    const idle = await measureIdleAgents(server, folder)
    const agent = startAgent(server, folder, service.url)
    stops.push(() => agent.kill())
    const sshPort = Number(new URL(ssh.url).port)
    const ways = {
      relay: { name: 'relay', server, port: server.port, host: islandHost(1, server.port) },
      proxy: { name: 'proxy', server: proxy, port: proxy.port, host: `127.0.0.1:${proxy.port}` },
      ssh: { name: 'ssh', port: sshPort, host: `127.0.0.1:${sshPort}` },
    }
    await untilAnswering(ways.relay)
    return [
      ...(await measureRequests(folder, ways)),
      ...(await measureLarge(ways)),
      await measureSlowReaders(ways.relay),
      idle,
    ]
  } finally {
    for (const stop of stops.toReversed()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Ways {
  readonly relay: Way & { readonly server: ServerProcess }
  readonly proxy: Way & { readonly server: ServerProcess }
  readonly ssh: Way
}

async function measureRequests(folder: string, ways: Ways): Promise<readonly BenchRow[]> {
  const { relay, proxy, ssh } = ways
  const many = await takeTurns(folder, [relay, proxy, ssh], connections)
  const one = await takeTurns(folder, [relay, proxy, ssh], 1)
  const reference = many(proxy).perSecond
  const added = (way: Way) => one(way).p50Ms - one(proxy).p50Ms
  return [
    {
      name: `small answers, ${connections} connections`,
      value: many(relay).perSecond,
      unit: 'calls/s',
      reference,
      atLeast: reference * requestsAtLeast,
    },
    { name: 'the same by ssh -R', value: many(ssh).perSecond, unit: 'calls/s', reference },
    {
      name: 'processor time of one in the server',
      value: many(relay).mainUs,
      unit: 'µs',
      reference: many(proxy).mainUs,
    },
    {
      name: 'p50 of one at a time, above the proxy’s',
      value: added(relay),
      unit: 'ms',
      atMost: addedAtMostMs,
    },
    { name: 'the same by ssh -R, above the proxy’s', value: added(ssh), unit: 'ms' },
  ]
}

/** Measures in short turns, so that other work on the machine affects all ways alike. */
async function takeTurns(folder: string, ways: readonly Way[], count: number) {
  const turns = new Map(ways.map((way) => [way, [] as Load[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, loads] of turns) {
      const get = `GET / HTTP/1.1\r\nHost: ${way.host}\r\n\r\n`
      const requests = writeRequests(folder, `by-${way.name}`, [get])
      const load = await driveLoad(
        { url: `http://127.0.0.1:${way.port}`, server: way.server, requests, connections: count },
        1,
      )
      if (round > 0) loads.push(load)
    }
  }
  return (way: Way) => medianLoad(turns.get(way) ?? [])
}

async function measureLarge({ relay, proxy, ssh }: Ways): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, carry, atLeast] of [
    ['download', download, downloadAtLeast],
    ['upload', upload, undefined],
  ] as const) {
    const rates = new Map([relay, proxy, ssh].map((way) => [way.name, [] as number[]]))
    for (let round = 0; round <= largeRounds; round += 1) {
      for (const way of [relay, proxy, ssh]) {
        const rate = await carry(way)
        if (round > 0) rates.get(way.name)?.push(rate)
      }
    }
    const of = (way: Way) => median(rates.get(way.name) ?? [])
    const reference = of(proxy)
    rows.push(
      {
        name: `${name} of 64 MiB`,
        value: of(relay),
        unit: 'MB/s',
        reference,
        ...(atLeast !== undefined && { atLeast: reference * atLeast }),
      },
      { name: `${name} of 64 MiB by ssh -R`, value: of(ssh), unit: 'MB/s', reference },
    )
  }
  return rows
}

async function measureSlowReaders({ server, ...door }: Ways['relay']): Promise<BenchRow> {
  const before = server.residentKb()
  const leave = await Promise.all(Array.from({ length: slowReaders }, () => openSlowReader(door)))
  await wait(settleMs)
  const value = (server.residentKb() - before) / 1024
  for (const go of leave) go()
  return {
    name: `memory for ${slowReaders} visitors who read nothing of 64 MiB each`,
    value,
    unit: 'MB',
    atMost: slowAtMostMb,
  }
}

async function measureIdleAgents(server: ServerProcess, folder: string): Promise<BenchRow> {
  const file = join(folder, 'tokens')
  const tokens = Array.from({ length: idleAgents }, (_, index) => seededToken(index + 2))
  writeFileSync(file, tokens.join('\n'))
  await wait(settleMs)
  const before = server.residentKb()
  const agents = await startProcess([process.execPath, 'bench/relay/idle-agents.ts'], {
    SERVER: `${server.url}/`,
    TOKENS: file,
  })
  await wait(settleMs)
  const value = (server.residentKb() - before) / idleAgents
  await agents.stop()
  return {
    name: `memory per idle agent, of ${idleAgents}`,
    value,
    unit: 'kB',
    atMost: idleAtMostKb,
  }
}

function startAgent({ port }: ServerProcess, folder: string, service: string) {
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, seededToken(1), { mode: 0o600 })
  const args = ['--server', `http://127.0.0.1:${port}`, '--to', service, '--token-file', tokenFile]
  return spawn(process.execPath, ['packages/agent/src/agent.mjs', ...args], { stdio: 'ignore' })
}

async function untilAnswering(door: Door): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isAnswering(door)) return
    await wait(100)
  }
  throw new Error('No visitor reaches the service')
}
