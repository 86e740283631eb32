/** Runs two servers on one PostgreSQL behind deploy/Caddyfile in Debian's Caddy, and kills one of them. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendHeartbeatOverHttp } from '../apps/server/src/test/http-client.ts'
import { launchServer } from '../apps/server/src/test/launch-server.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import {
  checkAddresses,
  checkFeeds,
  checkLeaving,
  makeDevice,
  openEvents,
  waitUntil,
} from './proxy-checks.ts'
import { makeFolder, startThrowaway } from './throwaway-process.ts'

const ends: (() => Promise<unknown>)[] = []
try {
  const postgres = await startDebianPostgres()
  ends.unshift(postgres.remove)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const servers = await Promise.all([
    startServer(postgres.url, url),
    startServer(postgres.url, url),
  ])
  const folder = makeFolder(undefined)
  const config = join(folder, 'Caddyfile')
  // Port 80 may be in use, so this run stays away from it.
  const example = readFileSync(new URL('../deploy/Caddyfile', import.meta.url), 'utf8')
  writeFileSync(config, example.replace('admin off', 'admin off\n\tauto_https disable_redirects'))
  const caddy = await startThrowaway({
    program: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', config],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SITE_ADDRESS: url,
      RELAY_DOMAIN: `islands.invalid:${await freePort()}`,
      ASK_PORT: String(await freePort()),
      SERVERS: servers.map((server) => new URL(server.url).host).join(' '),
    },
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  ends.unshift(caddy.stop)
  await waitUntil(async () => (await fetch(`${url}/readyz`)).ok, 'both servers are ready')
  await checkFeeds(url)
  await checkLeaving(url)
  await checkAddresses(url)
  await checkDeath(url, servers)
} finally {
  for (const end of ends) await end()
}

type Server = Awaited<ReturnType<typeof launchServer>>

async function startServer(databaseUrl: string, publicUrl: string): Promise<Server> {
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      PUBLIC_URL: publicUrl,
      DATABASE_URL: databaseUrl,
      TRUST_PROXY: '127.0.0.1',
    },
  })
  ends.unshift(async () => {
    server.kill('SIGKILL')
    await server.exited
  })
  return server
}

/** While one server dies and afterwards, requests that are safe to repeat go to the other. */
async function checkDeath(url: string, [first, second]: readonly Server[]): Promise<void> {
  assert.ok(first !== undefined && second !== undefined)
  const token = await makeDevice(url, 'death')
  const feeds = await Promise.all([openEvents(url), openEvents(url)])
  const failures: string[] = []
  let calls = 0
  const over = new AbortController()
  const drive = async (name: string, call: () => Promise<number>) => {
    while (!over.signal.aborted) {
      const status = await call()
      calls += 1
      if (status >= 300) failures.push(`${name}: ${status}`)
    }
  }
  const read = async () => (await fetch(`${url}/api/devices`)).status
  const beat = () => sendHeartbeatOverHttp(url, token)
  const driving = [
    drive('list', read),
    drive('list', read),
    drive('heartbeat', beat),
    drive('heartbeat', beat),
  ]
  const seen = async (count: number) => {
    const from = calls
    await waitUntil(async () => calls >= from + count, 'calls are answered')
  }
  await seen(40)
  first.kill('SIGKILL')
  await first.exited
  await seen(100)
  over.abort()
  await Promise.all(driving)
  assert.deepEqual(failures, [])
  assert.equal(feeds.filter((feed) => feed.isOpen()).length, 1, 'feeds were not spread')
  console.log(`  ${calls} calls were answered while a server was killed`)

  for (const feed of feeds) feed.close()
  second.kill('SIGKILL')
  await second.exited
  const answer = await fetch(`${url}/api/devices`)
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  console.log('  without a server the answer is 503 with Retry-After')
}
