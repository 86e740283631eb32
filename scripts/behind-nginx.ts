/** Runs deploy/nginx.conf and deploy/nginx-relay.conf in Debian's nginx, with a certificate of its own, before one server. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { demoLogin } from '@astropelago/contract/accounts'
import { launchServer } from '../apps/server/src/test/launch-server.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { checkAddresses, checkFeeds, checkLeaving } from './proxy-checks.ts'
import { checkNobodyAsks, startRelayedIsland } from './proxy-relay.ts'
import { makeFolder, startThrowaway } from './throwaway-process.ts'

const limitMs = 15_000
const relayDomain = 'islands.example'

const folder = makeFolder(undefined)
const certificate = makeCertificate()
setDefaultCACertificates([...getCACertificates(), readFileSync(certificate, 'utf8')])
const [port, plainPort] = [await freePort(), await freePort()]
const url = `https://localhost:${port}`
const server = await launchServer({
  env: {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: url,
    RELAY_DOMAIN: relayDomain,
    TRUST_PROXY: '127.0.0.1',
  },
})
try {
  const nginx = await startThrowaway({
    program: '/usr/sbin/nginx',
    args: ['-e', 'stderr', '-p', folder, '-c', writeConfiguration()],
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  try {
    await checkScheme()
    await checkFeeds(url)
    await checkLeaving(url)
    await checkAddresses(url)
    await checkRelay()
    server.kill('SIGKILL')
    await server.exited
    await checkAway()
  } finally {
    await nginx.stop()
  }
} finally {
  server.kill('SIGKILL')
  await server.exited
}

function makeCertificate(): string {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=DNS:localhost,DNS:*.${relayDomain} -keyout key.pem -out certificate.pem`
  execFileSync('openssl', request.split(/\s+/), { cwd: folder, stdio: 'ignore' })
  return join(folder, 'certificate.pem')
}

/** The example with the ports, the name and the certificate of this run, in a frame like Debian's. */
function writeConfiguration(): string {
  const site = ['nginx.conf', 'nginx-relay.conf']
    .map((name) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8'))
    .join('\n')
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('server 127.0.0.1:3000;', `server ${new URL(server.url).host};`)
    .replaceAll(/ssl_certificate .*/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key .*/g, `ssl_certificate_key ${join(folder, 'key.pem')};`)
    // The port too, which is 443 otherwise: a call of another origin is refused.
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

/** Plain calls are sent to https, whose pages ask for it from then on. */
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
  console.log('  http leads to https, whose cookies are Secure')
}

/** An island by its wildcard certificate. */
async function checkRelay(): Promise<void> {
  const island = await startRelayedIsland({
    url,
    relayDomain,
    authority: { file: certificate, pem: readFileSync(certificate, 'utf8') },
    dataDir: join(folder, 'data'),
    folder,
  })
  try {
    await checkNobodyAsks(url, `${island.slug}.${relayDomain}`)
  } finally {
    await island.stop()
  }
}

async function checkAway(): Promise<void> {
  const answer = await fetch(`${url}/api/devices`, { signal: AbortSignal.timeout(limitMs) })
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.match(await answer.text(), /can’t be reached/)
  console.log('  without a server the answer is 503 with Retry-After')
}
