import { once } from 'node:events'
import { request } from 'node:http'
import type { BenchRow } from '../bench-row.ts'
import { takeTurns, writeRequests } from '../server/drive-load.ts'
import { withServers } from '../server/with-servers.ts'
import { measureMaking } from './measure-making.ts'

const devices = 100_000
const connections = 64
/** Answers of 4 MB on a few connections fill the loopback. */
const readersOfAll = 4
const readingMs = 2000
const atLeastOfBare = 0.6
const madeCounts = [1000, 10_000, 100_000, 1_000_000]

/** Measures the unchanged and the whole list of 100,000 devices, and making lists of several lengths. */
export async function measureList(): Promise<readonly BenchRow[]> {
  const served = await withServers(304, [devices], async ({ bare, seeded: [seeded], folder }) => {
    if (seeded === undefined) return []
    const url = `${seeded.server.url}/api/devices`
    const first = await fetch(url)
    await first.arrayBuffer()
    const etag = first.headers.get('etag') ?? ''
    const requests = writeRequests(folder, 'unchanged', [
      `GET /api/devices HTTP/1.1\r\nHost: bench\r\nIf-None-Match: ${etag}\r\n\r\n`,
    ])
    const ours = { server: seeded.server, requests, connections }
    const bares = { ...ours, server: bare }
    const load = await takeTurns([bares, ours])
    const reference = load(bares).perSecond
    const unchanged: BenchRow = {
      name: 'unchanged lists (304), 100,000 devices',
      value: load(ours).perSecond,
      unit: 'calls/s',
      reference,
      atLeast: reference * atLeastOfBare,
    }
    const whole: BenchRow = {
      name: 'whole lists, zstd, 100,000 devices',
      value: await wholePerS(url),
      unit: 'calls/s',
    }
    return [unchanged, whole]
  })
  const made: BenchRow[] = []
  for (const count of madeCounts) {
    const making = await measureMaking(count)
    made.push(
      {
        name: 'making the list, main thread',
        devices: count,
        value: making.mainThreadMs,
        unit: 'ms',
      },
      { name: 'its longest turn', devices: count, value: making.longestTurnMs, unit: 'ms' },
      { name: 'compressing it by zstd', devices: count, value: making.zstdMs, unit: 'ms' },
      { name: 'compressing it by gzip', devices: count, value: making.gzipMs, unit: 'ms' },
    )
  }
  return [...served, ...made]
}

async function wholePerS(url: string): Promise<number> {
  const startedMs = performance.now()
  let answers = 0
  const read = async () => {
    while (performance.now() < startedMs + readingMs) {
      const asked = request(url, { headers: { 'accept-encoding': 'zstd' } }).end()
      const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        asked.on('response', resolve).on('error', reject)
      })
      response.resume()
      await once(response, 'end')
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: readersOfAll }, read))
  return (answers * 1000) / (performance.now() - startedMs)
}
