/**
 * Checks what visitors get while the server with an island's agent dies, hangs or stops: `node
 * scripts/relay-instances.ts`. Runs three servers on one PostgreSQL, with the real agent.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import {
  createServer as createHttpServer,
  request,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { signInOverHttp } from '../apps/server/src/test/http-client.ts'
import { launchServer, type LaunchedServer } from '../apps/server/src/test/launch-server.ts'
import { freePort, listen } from '../apps/server/src/test/listen.ts'
import { startTestPostgres } from '../apps/server/src/test/test-postgres.ts'
import { makeIsland } from './relay/make-island.ts'

const agentFile = fileURLToPath(new URL('../packages/agent/src/agent.mjs', import.meta.url))
/** The longest time until the agent is back on another server, after its server's process ended or hung. */
const backMs = { ended: 5000, silent: 20_000 }
/** Three servers, a database, an agent and visitors may share two cores. */
const slackMs = 1000
/** Every visitor gets some answer within this time. */
const hangMs = 10_000

interface Instance {
  readonly port: number
  /** Undefined while the server does not run. */
  server: LaunchedServer | undefined
  /** Whether the balancer sends new connections to it. */
  isServing: boolean
}

const postgres = await startTestPostgres()
const folder = await mkdtemp(join(tmpdir(), 'astropelago-instances-'))
const running = new Set<{ readonly kill: (signal: NodeJS.Signals) => void }>()

const instances: Instance[] = []
while (instances.length < 3) {
  instances.push({ port: await freePort(), server: undefined, isServing: false })
}

/** A load balancer that always knows which servers respond, like one with health checks. */
let turn = 0
const balancer = createServer((near) => {
  const serving = instances.filter(({ isServing }) => isServing)
  const { port = 1 } = serving[turn++ % serving.length] ?? {}
  const far = connect(port, '127.0.0.1')
  near.pipe(far).pipe(near)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => undefined).on('close', () => other.destroy())
  }
})
const balancerUrl = (await listen(balancer)).replace('127.0.0.1', 'localhost')

async function start(instance: Instance): Promise<void> {
  const { port } = instance
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, String(port)),
      PORT: String(port),
      PUBLIC_URL: balancerUrl,
      DATABASE_URL: postgres.url,
      INSTANCE_URL: `http://127.0.0.1:${port}`,
      LIMIT_EXEMPT: '127.0.0.1',
      METRICS_TOKEN: 'metrics',
    },
  })
  running.add(server)
  void server.exited.then(() => running.delete(server))
  instance.server = server
  instance.isServing = true
}

/** How often the service received each request. None may arrive twice. */
const asked = new Map<string, number>()
const service = createHttpServer((incoming, outgoing) => {
  const { url = '' } = incoming
  asked.set(url, (asked.get(url) ?? 0) + 1)
  outgoing.end(url)
})

/** The results of each server's visitors, in order. */
const outcomes: { readonly port: number; readonly atMs: number; readonly outcome: string }[] = []
let visits = 0
let slug = ''
const ending = new AbortController()

/**
 * Sends one request.
 * @returns the result in a word
 */
async function visit(port: number): Promise<string> {
  visits += 1
  const path = `/visit-${visits}`
  const method = visits % 2 === 0 ? 'POST' : 'GET'
  const hanging = AbortSignal.timeout(hangMs)
  try {
    const answer = await send({ port, path, method, signal: hanging })
    const body = await text(answer)
    const { statusCode: status, headers } = answer
    if (status === 200) return body === path ? '200' : 'another answer'
    const isToldWhen = status === 503 && headers['retry-after'] !== undefined
    return isToldWhen ? '503' : `${status} ${body.slice(0, 100)}`
  } catch (error) {
    return hanging.aborted ? 'hangs' : String(error)
  }
}

function send(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ ...options, host: '127.0.0.1', agent: false, headers: { host: `${slug}.localhost` } })
      .on('error', reject)
      .on('response', resolve)
      .end(options.method === 'POST' ? 'body' : undefined)
  })
}

async function keepVisiting(instance: Instance): Promise<void> {
  while (!ending.signal.aborted) {
    if (instance.isServing) {
      const outcome = await visit(instance.port)
      // A request to a server that dies meanwhile may be lost, so it does not count.
      if (instance.isServing) {
        outcomes.push({ port: instance.port, atMs: performance.now(), outcome })
      }
    }
    await wait(20)
  }
}

/** The server that the agent is connected to. */
async function holder(): Promise<Instance> {
  for (;;) {
    for (const instance of instances.filter(({ isServing }) => isServing)) {
      const response = await fetch(`http://127.0.0.1:${instance.port}/metrics`, {
        headers: { authorization: 'Bearer metrics' },
      })
      if (/^astropelago_relay_agents 1$/m.test(await response.text())) return instance
    }
    await wait(50)
  }
}

/**
 * Waits until visitors reach the service through every serving server.
 * @returns the time since `sinceMs`
 */
async function untilReached(sinceMs: number): Promise<number> {
  for (;;) {
    const serving = instances.filter(({ isServing }) => isServing)
    const found = await Promise.all(serving.map(async ({ port }) => await visit(port)))
    if (found.every((outcome) => outcome === '200')) return performance.now() - sinceMs
    await wait(50)
  }
}

async function scene(
  name: string,
  limitMs: number,
  act: (held: Instance) => Promise<void>,
): Promise<void> {
  const held = await holder()
  await untilReached(0)
  const from = outcomes.length
  const startMs = performance.now()
  await act(held)
  const tookMs = await untilReached(startMs)
  const counts = Object.groupBy(outcomes.slice(from), ({ outcome }) => outcome)
  const told = Object.entries(counts).map(([outcome, all]) => `${all?.length} × ${outcome}`)
  console.log(`  ${name}: back after ${(tookMs / 1000).toFixed(1)} s; ${told.join(', ')}`)
  assert.ok(tookMs <= limitMs + slackMs, `${name}: took ${tookMs} ms`)
  const others = Object.keys(counts).filter((outcome) => outcome !== '200' && outcome !== '503')
  assert.deepEqual(others, [], name)
}

let agent: ChildProcess | undefined
try {
  for (const instance of instances) await start(instance)
  const host = await signInOverHttp(balancerUrl, 'nova')
  const made = await makeIsland(host, 'home-at-last')
  ;({ slug } = made)

  const tokenFile = join(folder, 'relay-token')
  await writeFile(tokenFile, made.token, { mode: 0o600 })
  const serviceUrl = await listen(service)
  agent = spawn(
    process.execPath,
    [agentFile, '--server', balancerUrl, '--to', serviceUrl, '--token-file', tokenFile],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  await untilReached(0)
  const visitors = instances.map(keepVisiting)

  await scene('its process is killed', backMs.ended, async (held) => {
    held.isServing = false
    held.server?.kill('SIGKILL')
    await held.server?.exited
  })
  for (const instance of instances) if (!instance.isServing) await start(instance)
  await scene('it stops', backMs.ended, async (held) => {
    held.isServing = false
    await held.server?.stop()
  })
  for (const instance of instances) if (!instance.isServing) await start(instance)
  let silent: Instance | undefined
  await scene('it falls silent', backMs.silent, async (held) => {
    silent = held
    held.isServing = false
    held.server?.kill('SIGSTOP')
  })
  await scene('it speaks again', backMs.ended, async () => {
    silent?.server?.kill('SIGCONT')
    if (silent !== undefined) silent.isServing = true
  })

  ending.abort()
  await Promise.all(visitors)
  const twice = [...asked].filter(([, times]) => times > 1)
  assert.deepEqual(twice, [], 'asked twice')
  console.log(`  ${visits} visits, none was answered twice and none hung`)
} finally {
  ending.abort()
  agent?.kill('SIGKILL')
  for (const process of running) {
    process.kill('SIGCONT')
    process.kill('SIGKILL')
  }
  service.close()
  service.closeAllConnections()
  balancer.close()
  await postgres.remove()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
