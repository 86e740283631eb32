import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seededToken } from '../server/seeded-device.ts'
import { startProcess, startServer, usageOf, type Usage } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { isAnswering, type Door } from './carry-bytes.ts'
import { islandHost } from './seed-relay.ts'

const idleAgents = 1000
/** The time for memory to settle. */
export const settleMs = 4000

/** A way to the service. Its ends are set if they are measured. */
export interface Way extends Door {
  readonly name: string
  readonly server?: Usage
  readonly agent?: Usage
}

export interface RelayWay extends Way {
  /** Another island of the same server, with an agent of its own. */
  readonly other: Door
  readonly kbPerIdleAgent: number
}

/** Starts the server of a checkout and the agents of two islands, as people do. */
export async function startRelay(options: {
  readonly name: string
  readonly root: string
  /** For its files. */
  readonly folder: string
  readonly service: string
  readonly onStart: (stop: () => unknown) => void
}): Promise<RelayWay> {
  const { name, root, folder, service, onStart } = options
  const dataDir = join(folder, 'data')
  const seed = `import { seedRelay } from './bench/relay/seed-relay.ts'
    await seedRelay(process.argv[1], Number(process.argv[2]))`
  const seeding = ['--eval', seed, dataDir, `${idleAgents + 2}`]
  execFileSync(process.execPath, seeding, { cwd: root })
  const server = await startServer(dataDir, { onlineWindowS, root })
  onStart(server.stop)
  const agentFile = join(root, 'packages/agent/src/agent.mjs')
  const writeToken = (number: number, inFolder = folder) => {
    const file = join(inFolder, `token-${number}`)
    writeFileSync(file, seededToken(number), { mode: 0o600 })
    return file
  }

  const idleTokens = join(folder, 'idle')
  mkdirSync(idleTokens)
  for (let index = 0; index < idleAgents; index += 1) writeToken(index + 3, idleTokens)
  await wait(settleMs)
  const beforeKb = server.residentKb()
  const idle = await startProcess([process.execPath, 'bench/relay/idle-agents.ts'], {
    SERVER: server.url,
    AGENT: agentFile,
    TOKENS: idleTokens,
  })
  onStart(idle.stop)
  await wait(settleMs)
  const kbPerIdleAgent = (server.residentKb() - beforeKb) / idleAgents
  await idle.stop()

  const startAgent = async (number: number) => {
    const args = ['--server', server.url, '--to', service, '--token-file', writeToken(number)]
    const child = spawn(process.execPath, [agentFile, ...args], { stdio: 'ignore' })
    onStart(() => child.kill())
    const door = { port: server.port, host: islandHost(number, server.port) }
    await untilAnswering(door)
    return { ...door, agent: usageOf(child.pid ?? 0) }
  }
  const [one, other] = [await startAgent(1), await startAgent(2)]
  return { name, server, ...one, other, kbPerIdleAgent }
}

async function untilAnswering(door: Door): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isAnswering(door)) return
    await wait(100)
  }
  throw new Error('No visitor reaches the service')
}
