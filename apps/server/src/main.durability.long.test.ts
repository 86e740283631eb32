import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer, type ServerProcess } from './test/run-server.ts'
import { surviveKill } from './test/survive-kill.ts'
import { startStorm, untilRaging } from './test/write-storm.ts'

const env = { LIMIT_EXEMPT: '127.0.0.1' }

test(
  'S41 S43 kill -9 in a storm of writes loses no acknowledged write, nor does a backup taken in it',
  { timeout: 120_000 },
  async () => {
    const lost = await surviveKill({ dataDir: makeTempDir, settings: async () => env })
    expect(lost).toEqual({ afterKill: [], afterRestore: [] })
  },
)

test(
  'S45 SIGTERM in a storm of writes loses no acknowledged write',
  { timeout: 60_000 },
  async () => {
    const dataDir = await makeTempDir()
    const server = await runServer({ dataDir, env })
    const storm = await startStorm(server.url)
    await untilRaging(storm)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    await storm.ended
    expect(server.stdout()).not.toContain('"level":50')
    const next = await runServer({ dataDir, env })
    expect(await storm.findLost(next.url, storm.acknowledged())).toEqual([])
  },
)

test(
  '[P9] an acknowledged flip is logged, even if kill -9 follows at once',
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
    // The server was killed within the log's second. Otherwise this would prove nothing.
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
    // The first heartbeat writes a flip too, the second only its time.
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

/** The lines on which a sync of the write-ahead log ended, be it in one line or resumed in a later one. */
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
