import type { BenchRow } from '../bench-row.ts'
import { driveLoad, type Load } from './drive-load.ts'
import { median } from './median.ts'
import { withServers } from './with-servers.ts'

const rounds = 5
const roundMs = 3000
const value = JSON.stringify('a value of some thirty characters')
const path = '/_spark/kv/bench'
const readAtLeastOfBare = 0.4
const writeAtLeastOfBare = 0.2
const noContent = { start: 'HTTP/1.1 204 ', end: '\r\n\r\n' }

/** Reads and durable writes of one user's key beside a bare node:http server that answers 204. */
export function measureKeyValues(): Promise<readonly BenchRow[]> {
  return withServers([0], async (bare, [seeded]) => {
    if (seeded === undefined) return []
    const { url } = seeded.server
    const cookie = await register(url)
    const read = `GET ${path} HTTP/1.1\r\nHost: bench\r\nCookie: ${cookie}\r\n\r\n`
    const write = [
      `POST ${path} HTTP/1.1`,
      'Host: bench',
      `Cookie: ${cookie}`,
      'Content-Type: text/plain',
      `Content-Length: ${value.length}`,
      '',
      value,
    ].join('\r\n')
    const loads: Record<'bare' | 'write' | 'read', Load[]> = { bare: [], write: [], read: [] }
    // The first round warms up, and is dropped.
    for (let round = 0; round <= rounds; round += 1) {
      const measured = {
        bare: await drive(bare.url, read, noContent),
        write: await drive(url, write, noContent),
        read: await drive(url, read, { start: 'HTTP/1.1 200 ', end: value }),
      }
      if (round === 0) continue
      loads.bare.push(measured.bare)
      loads.write.push(measured.write)
      loads.read.push(measured.read)
    }
    const reference = rate(loads.bare)
    const unit = 'calls/s'
    return [
      {
        name: 'key-value reads',
        value: rate(loads.read),
        unit,
        reference,
        atLeast: reference * readAtLeastOfBare,
      },
      {
        name: 'durable key-value writes',
        value: rate(loads.write),
        unit,
        reference,
        atLeast: reference * writeAtLeastOfBare,
      },
    ]
  })
}

function drive(url: string, request: string, answer: typeof noContent): Promise<Load> {
  return driveLoad({ url, nextRequest: () => request, answer, durationMs: roundMs })
}

function rate(loads: readonly Load[]): number {
  return median(loads.map((load) => load.perSecond))
}

/** Makes an account and returns its cookies. */
async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', password: 'correct horse battery' }),
  })
  if (!response.ok) throw new Error(`Registering failed: ${await response.text()}`)
  const lines = response.headers.getSetCookie()
  return lines.map((line) => line.split(';', 1)[0] ?? '').join('; ')
}
