import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { OwnDevice } from '@astropelago/contract/devices'
import { expect, test, vi } from 'vitest'
import { sendHeartbeatOverHttp, signInOverHttp, type HttpClient } from './test/http-client.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer, type ServerProcess } from './test/run-server.ts'

const users = 10
const registeringClients = 25
const reportingClients = 25
const stormMs = 3000
/** Below the limit of devices a user has, with the clients of one user and what is on its way. */
const devicesPerClient = 5

/** What the server acknowledged to one client. */
interface Acknowledged {
  readonly present: Set<string>
  readonly deleted: Set<string>
  /** By device: when its last acknowledged heartbeat was sent. */
  readonly heartbeats: Map<string, number>
}

const newAcknowledged = (): Acknowledged => ({
  present: new Set(),
  deleted: new Set(),
  heartbeats: new Map(),
})

/**
 * Registers devices, reports each once and deletes old ones until the server is gone. A first
 * heartbeat is one that no other can stand in for.
 */
async function keepRegistering(client: HttpClient, acknowledged: Acknowledged): Promise<void> {
  for (;;) {
    const id = await client.registerDevice()
    acknowledged.present.add(id)
    const sentMs = Date.now()
    const heartbeat = await client.call('POST', `/api/devices/heartbeat?id=${id}`)
    if (heartbeat.status === 204) acknowledged.heartbeats.set(id, sentMs)
    const [oldest = id] = acknowledged.present
    if (acknowledged.present.size <= devicesPerClient) continue
    // From here on it may be gone, acknowledged or not.
    acknowledged.present.delete(oldest)
    acknowledged.heartbeats.delete(oldest)
    const { status } = await client.call('DELETE', `/api/devices/${oldest}`)
    if (status === 204) acknowledged.deleted.add(oldest)
  }
}

async function keepReporting(
  url: string,
  token: string,
  id: string,
  { heartbeats }: Acknowledged,
): Promise<void> {
  for (;;) {
    const sentMs = Date.now()
    const status = await sendHeartbeatOverHttp(url, token)
    if (status !== 204) throw new Error(`A heartbeat was answered with ${status}`)
    heartbeats.set(id, sentMs)
  }
}

test(
  'S41 kill -9 in a storm of heartbeats and registrations loses nothing that was acknowledged',
  { timeout: 60_000 },
  async () => {
    const dataDir = await makeTempDir()
    const env = { LIMIT_EXEMPT: '127.0.0.1' }
    const server = await runServer({ dataDir, env })
    const clients: HttpClient[] = []
    for (let user = 0; user < users; user += 1) {
      clients.push(await signInOverHttp(server.url, `user-${user}`))
    }
    const of = (index: number) => {
      const client = clients[index % users]
      if (client === undefined) throw new Error('There are no users')
      return { client, acknowledged: newAcknowledged() }
    }

    const storm: Promise<void>[] = []
    const all: Acknowledged[] = []
    for (let index = 0; index < reportingClients; index += 1) {
      const { client, acknowledged } = of(index)
      const id = await client.registerDevice()
      const token = await client.createToken(id)
      acknowledged.present.add(id)
      all.push(acknowledged)
      storm.push(keepReporting(server.url, token, id, acknowledged))
    }
    for (let index = 0; index < registeringClients; index += 1) {
      const { client, acknowledged } = of(index)
      all.push(acknowledged)
      storm.push(keepRegistering(client, acknowledged))
    }
    const ended = Promise.allSettled(storm)
    await wait(stormMs)
    server.kill('SIGKILL')
    expect(await server.exited).toBeNull()
    // Every client was at work until the server was gone.
    for (const outcome of await ended) {
      const message = expect.stringMatching(/^(fetch failed|terminated)$/)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message } })
    }

    const next = await runServer({ dataDir, env })
    const devices = new Map<string, OwnDevice>()
    for (let user = 0; user < users; user += 1) {
      const client = await signInOverHttp(next.url, `user-${user}`)
      for (const device of await client.listOwnDevices()) devices.set(device.id, device)
    }
    const counts = { devices: 0, deleted: 0, heartbeats: 0 }
    for (const { present, deleted, heartbeats } of all) {
      expect([...present].filter((id) => !devices.has(id))).toEqual([])
      expect([...deleted].filter((id) => devices.has(id))).toEqual([])
      for (const [id, sentMs] of heartbeats) {
        expect(Date.parse(devices.get(id)?.lastSeenAt ?? '')).toBeGreaterThanOrEqual(sentMs)
      }
      counts.devices += present.size
      counts.deleted += deleted.size
      counts.heartbeats += heartbeats.size
    }
    process.stdout.write(`  after kill -9 all acknowledged was there: ${JSON.stringify(counts)}\n`)
    expect(counts.devices).toBeGreaterThan(50)
    expect(counts.heartbeats).toBeGreaterThan(50)

    next.kill('SIGTERM')
    await next.exited
    const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
    expect(database.prepare('pragma integrity_check').all()).toMatchObject([
      { integrity_check: 'ok' },
    ])
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    database.close()
  },
)

test(
  '[P9] a flip that was acknowledged is logged, also where kill -9 comes right after',
  { timeout: 60_000 },
  async () => {
    const dataDir = await makeTempDir()
    const server = await runServer({ dataDir })
    const client = await signInOverHttp(server.url, 'nova')
    const id = await client.registerDevice()
    expect(await sendHeartbeatOverHttp(server.url, await client.createToken(id))).toBe(204)
    server.kill('SIGKILL')
    await server.exited

    const next = await runServer({ dataDir })
    await vi.waitUntil(() => flipsLoggedBy(next).includes(id), 5000)
    // Killed before the log's second was over, else this would prove nothing.
    expect(flipsLoggedBy(server)).toBe('')
  },
)

function flipsLoggedBy({ stdout }: ServerProcess): string {
  const lines = stdout().split('\n')
  return lines.filter((line) => line.includes('"devices_flipped"')).join('\n')
}

const tracedCalls = 'trace=read,pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg'

test.runIf(process.platform === 'linux')(
  'S41 the write-ahead log is synced after the heartbeat came and before its 204 leaves',
  { timeout: 60_000 },
  async () => {
    const dataDir = await makeTempDir()
    const trace = join(dataDir, 'trace.txt')
    const under = ['strace', '-f', '-y', '-s', '120', '-e', tracedCalls, '-o', trace] as const
    const server = await runServer({ dataDir, under })
    const client = await signInOverHttp(server.url, 'nova')
    const token = await client.createToken(await client.registerDevice())
    // The first heartbeat writes a transition too, the second its time alone.
    expect(await sendHeartbeatOverHttp(server.url, token)).toBe(204)
    expect(await sendHeartbeatOverHttp(server.url, token)).toBe(204)
    server.kill('SIGTERM')
    await server.exited

    const lines = (await readFile(trace, 'utf8')).split('\n')
    const arrivals = indexesOf(lines, (line) => line.includes('POST /api/devices/heartbeat-token'))
    expect(arrivals).toHaveLength(2)
    for (const arrived of arrivals) {
      const answered = indexesOf(lines, (line) => line.includes('HTTP/1.1 204')).find(
        (index) => index > arrived,
      )
      const between = lines.slice(arrived, answered)
      const lastWrite = between.findLastIndex((line) => /pwrite64\(\d+<[^>]*-wal>/.test(line))
      const synced = syncsOfLog(between)
      expect(answered).toBeDefined()
      expect(lastWrite).toBeGreaterThan(0)
      expect(synced.some((index) => index > lastWrite)).toBe(true)
    }
  },
)

function indexesOf(lines: readonly string[], isMeant: (line: string) => boolean): number[] {
  return lines.flatMap((line, index) => (isMeant(line) ? [index] : []))
}

/** Where a sync of the write-ahead log has ended, in one line or resumed in a later one. */
function syncsOfLog(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    const [, thread = '', rest = ''] =
      /^(\d+) +f(?:data)?sync\(\d+<[^>]*-wal>(.*)$/.exec(line) ?? []
    if (/^\) += 0/.test(rest)) return [index]
    if (!rest.includes('unfinished')) return []
    const resumed = lines.findIndex(
      (later, at) => at > index && later.startsWith(thread) && /sync resumed>\) += 0/.test(later),
    )
    return resumed === -1 ? [] : [resumed]
  })
}
