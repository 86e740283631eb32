import type { BenchRow } from '../bench-row.ts'
import { driveLoad, medianLoad, type Load } from '../server/drive-load.ts'
import { withServers } from '../server/with-servers.ts'

const rounds = 15
const roundMs = 1000
const value = JSON.stringify('a value of some thirty characters')
const path = '/_spark/kv/bench'
const readAtLeastOfBare = 0.4
const writeAtLeastOfBare = 0.2
const noContent = { start: 'HTTP/1.1 204 ', end: '\r\n\r\n' }

/** Reads and durable writes of one user's key beside a bare node:http server that answers 204. */
export function measureKeyValues(): Promise<readonly BenchRow[]> {
  return withServers(204, [0], async ({ bare, seeded: [seeded] }) => {
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
    const reference = medianLoad(loads.bare).perSecond
    const unit = 'calls/s'
    return [
      {
        name: 'key-value reads',
        value: medianLoad(loads.read).perSecond,
        unit,
        reference,
        atLeast: reference * readAtLeastOfBare,
      },
      {
        name: 'durable key-value writes',
        value: medianLoad(loads.write).perSecond,
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
