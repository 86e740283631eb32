import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { BenchRow } from '../bench-row.ts'
import { startBenchServer } from './bench-server.ts'
import { measureMaking } from './measure-making.ts'
import { seedDevices } from './seed-devices.ts'

const devices = 100_000
const rounds = 5
const secondsPerRound = 2
const connections = 64
/** An answer of 4 MB is as much as loopback and this client take from a few connections. */
const readersOfAll = 4
const answersPerFigure = 1000
const shareOfBare = 0.6

/** The list of 100,000 devices: unchanged, whole, and made anew. */
export async function measureList(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  await seedDevices(folder, devices)
  const server = await startBenchServer(folder)
  const bareFile = join(import.meta.dirname, 'bare-server.ts')
  const bare = spawn(process.execPath, [bareFile], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port]: unknown[] = await once(bare.stdout, 'data')
    const url = `http://127.0.0.1:${server.port}/api/devices`
    const first = await fetch(url)
    await first.arrayBuffer()
    const etag = first.headers.get('etag') ?? ''
    const ours: number[] = []
    const bares: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bares.push(await perS(`http://127.0.0.1:${Number(port)}/`, connections, {}))
      ours.push(await perS(url, connections, { 'if-none-match': etag }))
    }
    const whole = await perS(url, readersOfAll, { 'accept-encoding': 'zstd' })
    const bareMs = (answersPerFigure * 1000) / median(bares)
    const making = await measureMaking(devices)
    return [
      {
        name: '1,000 answers that nothing changed (304)',
        value: (answersPerFigure * 1000) / median(ours),
        reference: bareMs,
        unit: 'ms',
        atMost: bareMs / shareOfBare,
      },
      { name: 'one whole answer, zstd', value: 1000 / whole, unit: 'ms' },
      { name: 'making the list, main thread', value: making.mainThreadMs, unit: 'ms' },
      { name: 'making the list, longest turn', value: making.longestTurnMs, unit: 'ms' },
      { name: 'compressing by zstd, thread pool', value: making.zstdMs, unit: 'ms' },
      { name: 'compressing by gzip, thread pool', value: making.gzipMs, unit: 'ms' },
    ]
  } finally {
    bare.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function perS(
  url: string,
  connectionCount: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { requests } = await autocannon({
    url,
    connections: connectionCount,
    duration: secondsPerRound,
    headers: { ...headers },
  })
  return requests.average
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
