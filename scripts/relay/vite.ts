/** A Vite dev server at home, whose changes a visitor sees at once in Chromium. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createServer } from 'node:tls'
import { chromium } from '@playwright/test'
import { freePort, listen } from '../../apps/server/src/test/listen.ts'
import { findHeadlessChromium } from '../system-tools.ts'
import { makeFolder, startThrowaway } from '../throwaway-process.ts'
import { RelayStand } from './relay-stand.ts'

const domain = 'relay.test'
const program = join(import.meta.dirname, '../../node_modules/vite/bin/vite.js')
const limitMs = 20_000

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><link rel="icon" href="data:," /><title>Workshop</title></head>
  <body><h1></h1><script type="module" src="/workshop.js"></script></body>
</html>
`
const module = `import { sign } from './sign.js'
const show = (text) => { document.querySelector('h1').textContent = text }
show(sign)
import.meta.hot.accept('./sign.js', (changed) => show(changed.sign))
`
const signOf = (text: string) => `export const sign = '${text}'\n`

/**
 * Serves below a domain that Vite does not allow by default; .localhost is the only one that it does. Vite
 * refuses until the agent sends another host name.
 */
export async function checkVite(): Promise<void> {
  // Vite compares the files it serves with real paths.
  const folder = realpathSync(makeFolder(undefined))
  const port = await freePort()
  mkdirSync(join(folder, 'home'))
  const write = (name: string, text: string) => writeFileSync(join(folder, 'home', name), text)
  write('index.html', page)
  write('workshop.js', module)
  write('sign.js', signOf('Closed for lunch'))
  const vite = await startThrowaway({
    program: process.execPath,
    args: [program, 'home', '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  // Except on one's own machine, islands are behind TLS.
  const tls = createServer(makeCertificate(folder))
  const publicPort = Number(new URL(await listen(tls)).port)
  const stand = await RelayStand.open({
    PUBLIC_URL: `https://localhost:${publicPort}`,
    RELAY_DOMAIN: domain,
  })
  tls.on('secureConnection', (near) => {
    const far = connect(stand.port, '127.0.0.1')
    pipeline(near, far, near, () => undefined)
  })
  try {
    const island = await stand.makeIsland()
    const to = ['--to', `http://127.0.0.1:${port}`]
    const plain = await stand.runAgent(island, { args: to })
    const refusal = await stand.visit(island.host)
    assert.equal(refusal.status, 403)
    assert.match(refusal.body.toString(), /This host .* is not allowed/)
    await plain.kill('SIGTERM')

    await stand.runAgent(island, { args: [...to, '--host-header', `localhost:${port}`] })
    const address = `https://${island.slug}.${domain}:${publicPort}/`
    await checkHotReload(address, () => write('sign.js', signOf('Open again')))
  } finally {
    tls.close()
    await stand.close()
    await vite.stop()
  }
}

function makeCertificate(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${domain}
    -addext subjectAltName=DNS:*.${domain} -keyout ${key} -out ${cert}`
  execFileSync('openssl', request.split(/\s+/), { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

async function checkHotReload(address: string, change: () => void): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findHeadlessChromium() ?? '',
    args: [`--host-resolver-rules=MAP *.${domain} 127.0.0.1`],
  })
  try {
    const tab = await browser.newPage({ ignoreHTTPSErrors: true })
    tab.setDefaultTimeout(limitMs)
    const problems: string[] = []
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    let loads = 0
    tab.on('load', () => (loads += 1))
    const isHot = tab.waitForEvent('console', (message) => message.text() === '[vite] connected.')
    await tab.goto(address)
    const closed = tab.getByRole('heading', { name: 'Closed for lunch' })
    const goOn = tab.getByRole('button', { name: /^Go on to / })
    await closed.or(goOn).waitFor()
    if (await goOn.isVisible()) {
      // The page that names the island's host, shown once.
      problems.length = 0
      loads = 0
      await goOn.click()
      await closed.waitFor()
    }
    await isHot
    const startMs = performance.now()
    change()
    await tab.getByRole('heading', { name: 'Open again' }).waitFor()
    const tookMs = performance.now() - startMs
    assert.deepEqual([loads, problems], [1, []])
    console.log(
      `  Vite: a change showed in Chromium after ${Math.ceil(tookMs)} ms, without a reload`,
    )
  } finally {
    await browser.close()
  }
}
