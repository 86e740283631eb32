/** A thousand agents whose server restarts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { agentsPerDevice, islandsPerUser } from '@astropelago/contract/limits'
import { signInOverHttp } from '../../apps/server/src/test/http-client.ts'
import { MachinePace } from '../machine-pace.ts'
import { waitUntil } from '../proxy-checks.ts'
import { type RelayedIsland, RelayStand } from './relay-stand.ts'

const agentCount = 1000
const startLimitMs = 120_000
/**
 * Measured once the server listens again. It was away for a few seconds, so the agents' waits have grown to
 * 16 s at most.
 */
const backMaxMs = 30_000
/** As long as an update takes: enough for the agents' retries to spread out. */
const downMs = 4000
/**
 * The largest share of agents that may arrive within one second. Without random waits, all of them would.
 */
const crowdedMax = 0.45
/** Attempts of one agent until it is back. Waits double from 250 ms. */
const dialsMax = 8
const memoryMaxMib = 1500
const metricsToken = 'metrics-of-a-thousand'

export async function checkThousandAgents(): Promise<void> {
  const stand = await RelayStand.open({ METRICS_TOKEN: metricsToken })
  const pace = new MachinePace()
  pace.start()
  try {
    const islands = await makeIslands(stand)
    const crowd = startCrowd(stand)
    try {
      const areConnected = async () => (await connectedTo(stand)) === agentCount
      await waitUntil(areConnected, 'all are connected', startLimitMs)
      crowd.forget()
      await stand.killServer('SIGTERM')
      await wait(downMs)
      await stand.startServer()
      const [startMs, fromMs] = [performance.now(), Date.now()]
      await waitUntil(areConnected, 'all are back', startLimitMs)
      const backMs = performance.now() - startMs
      const slowness = pace.slowness(fromMs, Date.now())
      assert.ok(
        backMs <= backMaxMs * slowness,
        `back after ${backMs} ms, machine ${slowness} times slower`,
      )
      for (const { host } of islands) {
        const { status, body } = await stand.visit(host)
        assert.deepEqual([status, body.toString()], [200, 'Ahoy\n'])
      }
      const seconds = arrivalsBySecond(stand.server.stdout())
      assert.ok(
        Math.max(...seconds) <= crowdedMax * agentCount,
        `arrivals by second: ${seconds.join(', ')}`,
      )
      const dials = crowd.dials() / agentCount
      assert.ok(dials <= dialsMax, `${dials} dials each`)
      console.log(
        `  ${agentCount} agents were back ${(backMs / 1000).toFixed(1)} s after the server, by ${dials.toFixed(1)} dials each; in each second came ${seconds.join(', ')}`,
      )
    } finally {
      const mebibytes = await crowd.stop()
      assert.ok(mebibytes <= memoryMaxMib, `all agents took ${mebibytes} MiB`)
    }
  } finally {
    pace.stop()
    await stand.close()
  }
}

/** Islands, each with as many agents as one device may have. */
async function makeIslands(stand: RelayStand): Promise<RelayedIsland[]> {
  const tokens = join(stand.folder, 'tokens')
  mkdirSync(tokens)
  const islands: RelayedIsland[] = []
  while (islands.length < agentCount / agentsPerDevice) {
    const host = await signInOverHttp(stand.url, `host-of-${islands.length}`)
    for (let made = 0; made < islandsPerUser; made += 1) {
      if (islands.length >= agentCount / agentsPerDevice) break
      const island = await stand.makeIsland(host)
      for (let agent = 0; agent < agentsPerDevice; agent += 1) {
        copyFileSync(island.tokenFile, join(tokens, `${island.slug}-${agent}`))
      }
      islands.push(island)
    }
  }
  return islands
}

function startCrowd({ agentFile, folder, url }: RelayStand) {
  const served = join(folder, 'served')
  mkdirSync(served)
  writeFileSync(join(served, 'index.html'), 'Ahoy\n')
  const program = join(import.meta.dirname, 'agent-crowd.ts')
  const child = spawn(process.execPath, [program, agentFile, url, join(folder, 'tokens'), served], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let dials = 0
  let mebibytes = Number.NaN
  createInterface(child.stdout).on('line', (line) => {
    if (line.includes(' connecting to ')) dials += 1
    const [, rss] = /^rss (\d+) MiB$/.exec(line) ?? []
    if (rss !== undefined) mebibytes = Number(rss)
  })
  return {
    dials: () => dials,
    forget: () => (dials = 0),
    /** @returns the memory that the agents used */
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      return mebibytes
    },
  }
}

async function connectedTo({ url }: RelayStand): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const answer = await fetch(`${url}/metrics`, { headers })
  return Number(/^astropelago_relay_agents (\d+)$/m.exec(await answer.text())?.[1])
}

/** How many agents connected in each second, from the first one on. */
function arrivalsBySecond(log: string): number[] {
  const times = log
    .split('\n')
    .filter((line) => line.includes('"agent_connected"'))
    .map((line) => Number(/"time":(\d+)/.exec(line)?.[1]))
  const seconds: number[] = []
  for (const time of times) {
    const second = Math.floor((time - (times[0] ?? 0)) / 1000)
    while (seconds.length <= second) seconds.push(0)
    seconds[second] = (seconds[second] ?? 0) + 1
  }
  return seconds
}
