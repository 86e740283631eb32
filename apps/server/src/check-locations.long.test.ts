import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CheckProof, OwnLocation } from '@astropelago/contract/check-locations'
import { CheckHistory, OwnCheck } from '@astropelago/contract/checks'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { type HttpClient, signInOverHttp } from './test/http-client.ts'
import { canMakeNamespaces, TestInternet } from './test/network-namespaces.ts'
import { runServer } from './test/run-server.ts'

const agentFile = resolve(import.meta.dirname, '../../../packages/agent/src/agent.mjs')
const locations = ['Oslo', 'Lima', 'Quito', 'Cork', 'Accra']
const target = '46.0.0.2'
const periodMs = 60_000
/** For the next look to begin and to end. */
const slackMs = 20_000
const isPermitted = canMakeNamespaces()
const networkOf = (index: number) => `45.0.${index + 1}`

/** Answers each location later than the one before, and proves the address. */
const site = `
  const { createServer } = require('node:http')
  const { readFileSync } = require('node:fs')
  createServer((request, response) => {
    const network = Number(request.socket.remoteAddress.split('.')[2])
    const isProof = request.url === '/.well-known/astropelago-check'
    setTimeout(() => response.end(isProof ? readFileSync(process.argv[1]) : 'well'), network * 100)
  }).listen(80, '0.0.0.0')
`

/** Appends what it is told to a file, each message in a line. */
const receiver = `
  const { createServer } = require('node:http')
  const { appendFileSync } = require('node:fs')
  createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    appendFileSync(process.argv[1], body + '\\n')
    response.end('ok')
  }).listen(80, '0.0.0.0')
`

const Message = v.object({ type: v.string(), data: v.object({ title: v.string() }) })

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-locations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function setUp() {
  const folder = makeFolder()
  const internet = new TestInternet()
  const proofFile = join(folder, 'proof')
  writeFileSync(proofFile, '')
  const run = (host: string, ...args: readonly string[]) => {
    const child = spawn('ip', [...internet.exec(host), process.execPath, ...args])
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  internet.addHost('target', '46.0.0', '46.0.0.3')
  run('target', '-e', site, proofFile)
  const alertsFile = join(folder, 'alerts')
  writeFileSync(alertsFile, '')
  internet.addHost('hook', '47.0.0')
  run('hook', '-e', receiver, alertsFile)
  const port = 8080
  const url = `http://${internet.address}:${port}`
  await runServer({
    dataDir: join(folder, 'data'),
    env: {
      HOST: '0.0.0.0',
      PORT: String(port),
      PUBLIC_URL: url,
      CHECK_CONTROL_TARGETS: '46.0.0.3:80',
    },
    under: ['ip', ...internet.exec('core')],
  })

  /** A user with a device that lends, and its agent behind a network of its own. */
  const lend = async (region: string, index: number) => {
    const user = await signInOverHttp(url, region.toLowerCase())
    const device = await user.registerDevice()
    const token = await user.createToken(device, 'relay')
    await user.call('PUT', `/api/me/check-locations/${device}`, { isLending: true, region })
    const tokenFile = join(folder, `token-${index}`)
    writeFileSync(tokenFile, token, { mode: 0o600 })
    internet.addHost(`agent${index}`, networkOf(index))
    run(`agent${index}`, agentFile, '--server', url, '--token-file', tokenFile, '--lend')
    return user
  }
  const lenders = await Promise.all(locations.map(lend))
  const owner = await signInOverHttp(url, 'owner')
  const channel = { name: 'Hook', settings: { kind: 'webhook', url: 'http://47.0.0.2/' } }
  expect((await owner.call('POST', '/api/me/alerts/channels', channel)).status).toBe(201)
  const alerts = () =>
    readFileSync(alertsFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => v.parse(v.pipe(v.string(), v.parseJson(), Message), line))
  return { internet, proofFile, owner, lenders, alerts }
}

async function makeCheck(owner: HttpClient, proofFile: string): Promise<string> {
  const made = await owner.call('POST', '/api/me/checks', {
    name: 'Harbor',
    target: { kind: 'http', url: `http://${target}/`, periodS: 60, timeoutS: 5 },
  })
  const { id } = v.parse(OwnCheck, await made.json())
  const path = `/api/me/checks/${id}/proof`
  const proof = async (method: string) =>
    v.parse(CheckProof, await (await owner.call(method, path)).json())
  writeFileSync(proofFile, (await proof('GET')).text)
  expect((await proof('POST')).provenAt).not.toBeNull()
  return id
}

test.skipIf(!isPermitted)(
  'five agents behind different cuts and delays: one cut is shown, and a cut from all is one outage',
  { timeout: 900_000 },
  async () => {
    const { internet, proofFile, owner, lenders, alerts } = await setUp()
    const id = await makeCheck(owner, proofFile)
    const read = async () => {
      const history = await owner.call('GET', `/api/checks/${id}/history`)
      const check = v.parse(
        OwnCheck,
        await (await owner.call('GET', `/api/me/checks/${id}`)).json(),
      )
      return { check, ...v.parse(CheckHistory, await history.json()) }
    }
    const unable = async () =>
      ((await read()).locations ?? [])
        .filter(({ status }) => status === 'down')
        .map(({ name }) => name)
    const within = { timeout: 2 * periodMs + slackMs, interval: 500 }

    const looks = async () =>
      ((await read()).locations ?? []).filter(({ samples }) => samples.length >= 2).length
    // The first look comes early, and each check then has its own place in the minute.
    await expect.poll(looks, { ...within, timeout: 3 * periodMs + slackMs }).toBe(5)
    const { check: first, locations: seen = [] } = await read()
    expect(first).toMatchObject({ status: 'up', note: null })
    const delays = seen
      .toSorted((a, b) => locations.indexOf(a.name ?? '') - locations.indexOf(b.name ?? ''))
      .map(({ samples }) => samples[0]?.tookMs ?? 0)
    for (const [index, tookMs] of delays.entries()) {
      expect(tookMs).toBeGreaterThanOrEqual((index + 1) * 100)
    }

    internet.cut(target, networkOf(0))
    await expect.poll(unable, within).toEqual(['Oslo'])
    expect((await read()).check).toMatchObject({
      status: 'up',
      note: 'Not reachable from Oslo.',
    })
    internet.mend(target, networkOf(0))
    await expect.poll(unable, within).toEqual([])

    internet.cut(target)
    const cutMs = performance.now()
    await expect.poll(async () => (await read()).check.status, within).toBe('down')
    const tookS = Math.round((performance.now() - cutMs) / 1000)
    process.stdout.write(`    down ${tookS} s after the cut from all, with a period of 60 s\n`)
    await new Promise((done) => setTimeout(done, periodMs))
    const { check: last, events } = await read()
    expect(last.status).toBe('down')
    expect(events.map(({ kind }) => kind)).toEqual(['down', 'up'])
    expect(alerts()).toEqual([{ type: 'alert.offline', data: { title: 'Harbor is down' } }])

    const mine = await lenders[0]?.call('GET', '/api/me/check-locations')
    const [own] = v.parse(v.array(OwnLocation), await mine?.json())
    expect(own).toMatchObject({ isLending: true, perHour: 120 })
    expect(own?.checked.map(({ place }) => place)).toEqual([`${target}:80`])
  },
)

test.skipIf(isPermitted)('locations in network namespaces need Linux, root and ip(8)', () => {
  expect(isPermitted).toBe(false)
})
