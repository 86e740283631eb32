/**
 * Measures the heartbeats of honest devices while strangers attack the server: `node scripts/abuse.ts
 * [attack]`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { launchServer } from '../apps/server/src/test/launch-server.ts'
import { type SeedDevice, seedDataDir } from '../apps/server/src/test/seed-data-dir.ts'
import { clusteredDevices } from '../e2e/harness/clustered-devices.ts'
import { attackNames } from './abuse-attacks.ts'
import { HonestDevices } from './honest-devices.ts'
import { MachinePace } from './machine-pace.ts'

const deviceCount = 10_000
const honestDevices = 100
const everyMs = 10
/** Each attack runs for `startMs` before it is measured for `measureMs`. */
const startMs = 2000
const measureMs = 6000
/** On an otherwise idle machine. */
const p99MaxMs = 250
/** Memory that the server may hold, however many connections stay open. */
const heldMaxMb = 1000

const devices = new HonestDevices()

async function measureUnder(attack: string, url: string) {
  const { port } = new URL(url)
  const attacker = spawn(process.execPath, ['scripts/abuse-attacks.ts', attack, port])
  await wait(startMs)
  const { p50Ms, p99Ms, lost } = await devices.measure({
    port,
    tokens,
    everyMs,
    forMs: measureMs,
  })
  const heldMb = await residentMb(url, metricsToken)
  const isOver = attacker.exitCode !== null
  if (!isOver) {
    attacker.kill('SIGKILL')
    await once(attacker, 'close')
  }
  const figures = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${lost} lost, ${heldMb.toFixed(0)} MB`
  console.log(`${attack.padEnd(30)} ${figures}`)
  const problems = []
  if (isOver) problems.push(`${attack}: ended by itself`)
  if (lost > 0) problems.push(`${attack}: ${lost} heartbeats were not accepted`)
  if (!(heldMb < heldMaxMb)) problems.push(`${attack}: the server uses too much memory`)
  return { p99Ms, problems }
}

async function residentMb(url: string, metricsToken: string): Promise<number> {
  const response = await fetch(new URL('/metrics', url), {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(await response.text()) ?? []
  return Number(bytes) / 1024 / 1024
}

const tokens = Array.from({ length: honestDevices }, (_, index) => `apd_honest-${index}`)
const metricsToken = 'abuse'
const dataDir = await mkdtemp(join(tmpdir(), 'astropelago-abuse-'))
const failures: string[] = []
try {
  await seedDataDir(dataDir, { devices: devicesOf(tokens) })
  const server = await launchServer({
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', METRICS_TOKEN: metricsToken },
  })
  const slowness = await measureMachine()
  const [asked] = process.argv.slice(2)
  for (const attack of ['nobody', ...(asked === undefined ? attackNames : [asked])]) {
    const isTooSlow = async () => {
      const { p99Ms, problems } = await measureUnder(attack, server.url)
      failures.push(...problems)
      return p99Ms > p99MaxMs * slowness
    }
    // With 600 heartbeats, a single pause of the disk or of the machine can exceed the 99th percentile,
    // so measure twice.
    if ((await isTooSlow()) && (await isTooSlow()))
      failures.push(`${attack}: heartbeats take too long`)
  }
  await server.stop()
} finally {
  devices.leave()
  await rm(dataDir, { recursive: true })
}
for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1

/** Many devices, so that their list is long. The first ones have the tokens that report. */
function* devicesOf(honestTokens: readonly string[]): Iterable<SeedDevice> {
  let made = 0
  for (const device of clusteredDevices(deviceCount)) {
    const token = honestTokens[made]
    made += 1
    yield token === undefined ? device : { ...device, token }
  }
}

/** How many times slower than an idle machine this one is before any attack. */
async function measureMachine(): Promise<number> {
  const pace = new MachinePace()
  const fromMs = Date.now()
  pace.start()
  await wait(measureMs)
  pace.stop()
  const slowness = pace.slowness(fromMs, Date.now())
  console.log(`machine ${slowness.toFixed(1)} times slower than an idle one`)
  return slowness
}
