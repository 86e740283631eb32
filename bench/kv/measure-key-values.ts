import type { BenchRow } from '../bench-row.ts'
import { driveLoad, takeTurns, writeRequests, type Load } from '../server/drive-load.ts'
import { registerUser } from '../server/register-user.ts'
import { withServers } from '../server/with-servers.ts'

const connections = 64
const value = JSON.stringify('a value of some thirty characters')
const path = '/_spark/kv/bench'
const readAtLeastOfBare = 0.4
const writeAtLeastOfBare = 0.2

/** Measures reads and durable writes of one user's key beside a bare node:http server that answers 204. */
export function measureKeyValues(): Promise<readonly BenchRow[]> {
  return withServers(204, [0], async ({ bare, seeded: [seeded], folder }) => {
    if (seeded === undefined) return []
    const { server } = seeded
    const cookie = await registerUser(server.url)
    const readFile = writeRequests(folder, 'read', [
      `GET ${path} HTTP/1.1\r\nHost: bench\r\nCookie: ${cookie}\r\n\r\n`,
    ])
    const writeLines = [
      `POST ${path} HTTP/1.1`,
      'Host: bench',
      `Cookie: ${cookie}`,
      'Content-Type: text/plain',
      `Content-Length: ${value.length}`,
      '',
      value,
    ]
    const read = { server, requests: readFile, connections }
    const write = { ...read, requests: writeRequests(folder, 'write', [writeLines.join('\r\n')]) }
    const bareRead = { ...read, server: bare }
    // Write first, so that there is something to read.
    await driveLoad(write)
    const load = await takeTurns([bareRead, write, read])
    const reference = load(bareRead)
    return [
      ...figures('key-value reads', load(read), reference, readAtLeastOfBare),
      ...figures('durable key-value writes', load(write), reference, writeAtLeastOfBare),
    ]
  })
}

function figures(name: string, load: Load, bare: Load, ofBare: number): BenchRow[] {
  return [
    {
      name,
      value: load.perSecond,
      unit: 'calls/s',
      reference: bare.perSecond,
      atLeast: bare.perSecond * ofBare,
    },
    { name: `${name}: main thread`, value: load.mainUs, unit: 'µs', reference: bare.mainUs },
  ]
}
