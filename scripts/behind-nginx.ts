/**
 * Runs two servers on one PostgreSQL behind deploy/nginx.conf and deploy/nginx-relay.conf in Debian's
 * nginx, with a self-signed certificate, and cuts one server off from the database.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { demoLogin } from '@astropelago/contract/accounts'
import { sendHeartbeatOverHttp } from '../apps/server/src/test/http-client.ts'
import { launchServer, type LaunchedServer } from '../apps/server/src/test/launch-server.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { startDebianPostgres, startPgbouncer } from './debian-postgres.ts'
import { checkAddresses, checkFeeds, checkLeaving, makeDevice, waitUntil } from './proxy-checks.ts'
import { checkNobodyAsks, startRelayedIsland, type RelayedIsland } from './proxy-relay.ts'
import { makeFolder, startThrowaway } from './throwaway-process.ts'

const limitMs = 15_000
const relayDomain = 'islands.example'

const folder = makeFolder(undefined)
const certificate = makeCertificate()
setDefaultCACertificates([...getCACertificates(), readFileSync(certificate, 'utf8')])
const [port, plainPort] = [await freePort(), await freePort()]
const url = `https://localhost:${port}`
const ends: (() => Promise<unknown>)[] = []
try {
  const postgres = await startDebianPostgres()
  ends.unshift(postgres.remove)
  // One server's connection to the database, which can be cut.
  const pooler = await startPgbouncer(postgres.url)
  ends.unshift(pooler.stop)
  const servers = [await startServer(postgres.url), await startServer(pooler.url)] as const
  const nginx = await startThrowaway({
    program: '/usr/sbin/nginx',
    args: ['-e', 'stderr', '-p', folder, '-c', writeConfiguration(servers)],
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  ends.unshift(nginx.stop)
  await checkScheme()
  await checkFeeds(url)
  await checkLeaving(url)
  await checkAddresses(url)
  const island = await startRelayedIsland({
    url,
    relayDomain,
    authority: { file: certificate, pem: readFileSync(certificate, 'utf8') },
    dataDir: servers[0].dataDir,
    folder,
  })
  ends.unshift(island.stop)
  await checkNobodyAsks(url, `${island.slug}.${relayDomain}`)
  await checkCutOff(island, servers[1], pooler.stop)
  for (const server of servers) {
    server.kill('SIGKILL')
    await server.exited
  }
  await checkAway(island)
} finally {
  for (const end of ends) await end()
}

type Server = LaunchedServer & { readonly dataDir: string }

async function startServer(databaseUrl: string): Promise<Server> {
  const ownPort = await freePort()
  const dataDir = join(folder, `data-${ownPort}`)
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      PORT: String(ownPort),
      INSTANCE_URL: `http://127.0.0.1:${ownPort}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: url,
      RELAY_DOMAIN: relayDomain,
      TRUST_PROXY: '127.0.0.1',
    },
  })
  ends.unshift(async () => {
    server.kill('SIGKILL')
    await server.exited
  })
  return { ...server, dataDir }
}

function makeCertificate(): string {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=DNS:localhost,DNS:*.${relayDomain} -keyout key.pem -out certificate.pem`
  execFileSync('openssl', request.split(/\s+/), { cwd: folder, stdio: 'ignore' })
  return join(folder, 'certificate.pem')
}

/** The example with this run's ports, name and certificate, inside a minimal nginx.conf. */
function writeConfiguration(servers: readonly Server[]): string {
  const site = ['nginx.conf', 'nginx-relay.conf']
    .map((name) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8'))
    .join('\n')
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${port} `)
    .replaceAll(/server 127\.0\.0\.1:3000(.*);/g, (_line, rest: string) =>
      servers.map((server) => `server ${new URL(server.url).host}${rest};`).join('\n'),
    )
    .replaceAll(/ssl_certificate .*/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key .*/g, `ssl_certificate_key ${join(folder, 'key.pem')};`)
    // Pass on the port, which is not 443 here. Otherwise the server refuses calls as cross-origin.
    .replaceAll('Host $host;', 'Host $http_host;')
    .replaceAll('sky.example', 'localhost')
  assert.doesNotMatch(site, /letsencrypt|listen (80|443)\b|:3000/, 'the example was not fitted in')
  const path = join(folder, 'nginx.conf')
  writeFileSync(
    path,
    `daemon off;
pid ${join(folder, 'nginx.pid')};
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  client_body_temp_path ${join(folder, 'body')};
  proxy_temp_path ${join(folder, 'proxy')};
  fastcgi_temp_path ${join(folder, 'fastcgi')};
  uwsgi_temp_path ${join(folder, 'uwsgi')};
  scgi_temp_path ${join(folder, 'scgi')};
  ${site}
}
`,
  )
  return path
}

/** Plain http redirects to https, and pages ask browsers to use https from then on. */
async function checkScheme(): Promise<void> {
  const signal = AbortSignal.timeout(limitMs)
  const plain = await fetch(`http://localhost:${plainPort}/explore?a=b`, {
    redirect: 'manual',
    signal,
  })
  assert.equal(plain.status, 301)
  assert.equal(plain.headers.get('location'), 'https://localhost/explore?a=b')
  const page = await fetch(url, { signal })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('strict-transport-security') ?? '', /max-age=/)
  const demo = await fetch(`${url}${demoLogin.path}`, {
    method: 'POST',
    headers: { origin: url },
    signal,
  })
  assert.match(demo.headers.getSetCookie().join(), /;\s*Secure/i)
  console.log('  http redirects to https, and cookies are Secure')
}

/**
 * Requests that are safe to repeat are answered by the server that has its database, whichever nginx tries
 * first.
 */
async function checkCutOff(
  { visit }: RelayedIsland,
  cutOff: Server,
  cut: () => Promise<unknown>,
): Promise<void> {
  const token = await makeDevice(url, 'cutoff')
  await cut()
  await waitUntil(async () => (await fetch(`${cutOff.url}/readyz`)).status === 503, 'it is cut off')
  const statuses: number[] = []
  for (let round = 0; round < 20; round += 1) {
    statuses.push(
      (await fetch(`${url}/api/devices`)).status,
      await sendHeartbeatOverHttp(url, token),
    )
    const page = await visit()
    page.resume()
    statuses.push(page.statusCode ?? 0)
  }
  assert.deepEqual(new Set(statuses), new Set([200, 204]))
  console.log(
    `  ${statuses.length} calls were answered while a server was cut off from its database`,
  )
}

async function checkAway({ visit }: RelayedIsland): Promise<void> {
  const answer = await fetch(`${url}/api/devices`, { signal: AbortSignal.timeout(limitMs) })
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.match(await answer.text(), /This site can’t be reached/)
  const page = await visit()
  assert.deepEqual([page.statusCode, page.headers['retry-after']], [503, '5'])
  assert.match((await buffer(page)).toString(), /This island can’t be reached/)
  console.log('  without a server the answer is 503 with Retry-After, at an island too')
}
