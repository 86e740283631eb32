/**
 * Runs the relay behind Debian's Caddy with each of the examples: with certificates on demand, from Caddy's
 * own authority instead of a public one, and with a wildcard certificate.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { launchServer } from '../apps/server/src/test/launch-server.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { checkNobodyAsks, startRelayedIsland, type RelayedIsland } from './proxy-relay.ts'
import { draftIsland, publish } from './relay/make-island.ts'
import { makeFolder, startThrowaway } from './throwaway-process.ts'

const relayDomain = 'islands.example'
const deploy = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')

const examples: readonly Example[] = [
  { files: ['relay-on-demand.Caddyfile'], isOnDemand: true },
  { files: ['Caddyfile'], isOnDemand: true },
  { files: ['one-server.Caddyfile', 'relay.Caddyfile'], isOnDemand: false },
]
for (const example of examples) {
  console.log(`  ${example.files.join(' and ')}:`)
  await checkExample(example)
}

interface Example {
  readonly files: readonly string[]
  readonly isOnDemand: boolean
}

/** The site's URL, and the server behind it. */
interface Site {
  readonly url: string
  readonly port: number
  readonly serverUrl: string
  readonly data: string
}

async function checkExample(example: Example): Promise<void> {
  const data = makeFolder(undefined)
  const port = await freePort()
  const url = `https://localhost:${port}`
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: join(data, 'data'),
      PUBLIC_URL: url,
      RELAY_DOMAIN: relayDomain,
      TRUST_PROXY: '127.0.0.1',
    },
  })
  try {
    await checkBehind(example, { url, port, serverUrl: server.url, data })
  } finally {
    server.kill('SIGKILL')
    await server.exited
    rmSync(data, { recursive: true, force: true })
  }
}

async function checkBehind({ files, isOnDemand }: Example, site: Site): Promise<void> {
  const { url, port, serverUrl, data } = site
  const folder = makeFolder(undefined)
  const wildcard = makeWildcard(folder)
  const { host } = new URL(serverUrl)
  const config = join(folder, 'Caddyfile')
  const plainPort = await freePort()
  writeFileSync(config, fit(files.map(deploy).join('\n'), { folder, port, plainPort, host }))
  const caddy = await startThrowaway({
    program: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', config],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SITE_ADDRESS: url,
      SERVERS: host,
      RELAY_DOMAIN: `${relayDomain}:${port}`,
      ASK_PORT: String(await freePort()),
    },
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  try {
    const root = join(folder, '.local/share/caddy/pki/authorities/local/root.crt')
    const pem = readFileSync(root, 'utf8') + readFileSync(wildcard, 'utf8')
    const authority = { file: join(folder, 'authority.pem'), pem }
    writeFileSync(authority.file, pem)
    setDefaultCACertificates([...getCACertificates('bundled'), pem])
    const dataDir = join(data, 'data')
    const island = await startRelayedIsland({ url, relayDomain, authority, dataDir, folder: data })
    try {
      await checkNobodyAsks(url, `${island.slug}.${relayDomain}`)
      if (isOnDemand) await checkCertificates(island)
    } finally {
      await island.stop()
    }
  } finally {
    await caddy.stop()
  }
}

interface Fitted {
  readonly folder: string
  readonly port: number
  readonly plainPort: number
  readonly host: string
}

/** The example with this run's ports and names, and with certificates from Caddy's own authority. */
function fit(example: string, { folder, port, plainPort, host }: Fitted): string {
  const own = `admin off
	local_certs
	skip_install_trust
	http_port ${plainPort}
	https_port ${port}`
  const global = /^\{$[^]*?^\}$/m.exec(example)?.[0]
  const options =
    global === undefined
      ? `{\n\t${own}\n}\n`
      : global.replace('admin off', '').replace('{', `{\n\t${own}`)
  const sites = global === undefined ? example : example.replace(global, '')
  return `${options}\n${sites}`
    .replaceAll('127.0.0.1:3000', host)
    .replaceAll('sky.example', `localhost:${port}`)
    .replaceAll('*.islands.example {', `*.islands.example:${port} {`)
    .replaceAll('/etc/caddy/islands', folder)
}

function makeWildcard(folder: string): string {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=islands
    -addext subjectAltName=DNS:*.${relayDomain} -keyout privkey.pem -out fullchain.pem`
  execFileSync('openssl', request.split(/\s+/), { cwd: folder, stdio: 'ignore' })
  return join(folder, 'fullchain.pem')
}

/** Names that must stay secret get no certificate, so the handshake already fails. */
async function checkCertificates({ host, visit }: RelayedIsland): Promise<void> {
  const carriers = await host.listOwnDevices()
  const id = await draftIsland(host, { slug: 'secret-lab', carrier: carriers[0]?.id ?? '' })
  const { slug: secret } = await publish(host, id, 'invited')
  for (const slug of ['nobody', secret]) {
    await assert.rejects(
      visit({ slug }),
      /alert internal error|handshake|ECONNRESET|before secure TLS/i,
    )
  }
  const { slug } = await publish(host, id, 'public')
  const answer = await visit({ slug })
  answer.resume()
  assert.equal(answer.statusCode, 200)
  console.log('  certificates for islands with public names, and for no other name')
}
