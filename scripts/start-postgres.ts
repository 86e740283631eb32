import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../apps/server/src/test/listen.ts'
import { makeFolder, unlessRoot } from './throwaway-process.ts'

export interface OwnPostgres {
  /** Of the database that is always there; others are made beside it. */
  readonly url: string
  readonly start: () => Promise<void>
  /** Ends all connections at once, as a restart does. */
  readonly stop: () => Promise<void>
  /** Stops it for good. */
  readonly remove: () => Promise<void>
}

interface PostgresOptions {
  /** The folder with `initdb` and `postgres`. */
  readonly binaries: string
  /** `name=value`, beside those of every PostgreSQL that is started here. */
  readonly settings: readonly string[]
}

const user = 'astropelago'
/** Whoever is on loopback is let in: nothing in it is worth a password. */
const initdbArgs = ['-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
/** Its fast shutdown: clients are sent away. */
const stopSignal = 'SIGINT'
const keptLogLength = 4000
/** Without a sync nothing survives a power cut, which no test makes. */
export const hurriedSettings = ['fsync=off', 'full_page_writes=off']

/**
 * A PostgreSQL with no data, on a free port. It ends with this process, unless that is killed by SIGKILL.
 * @throws Error with its log where it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<OwnPostgres> {
  // It refuses to run as root.
  const identity = unlessRoot()
  const folder = makeFolder(identity)
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...options.settings,
  ]
  let running: ChildProcess | undefined

  const start = async () => {
    const args = ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(options.binaries, 'postgres'), args, {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    endWithThisProcess(child)
    await untilReady(child)
    running = child
  }
  const stop = async () => {
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'close')
    child.kill(stopSignal)
    await ended
  }
  const remove = async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const initdb = join(options.binaries, 'initdb')
    await promisify(execFile)(initdb, ['-D', dataDir, ...initdbArgs], { ...identity, cwd: folder })
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return { url: `postgres://${user}@127.0.0.1:${port}/postgres`, start, stop, remove }
}

async function untilReady(child: ChildProcess): Promise<void> {
  let log = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-keptLogLength)
    if (log.includes('ready to accept connections')) resolve()
  })
  child.on('error', reject)
  child.on('close', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
  await promise
}

function endWithThisProcess(child: ChildProcess): void {
  const end = () => child.kill(stopSignal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const endBySignal = (signal: NodeJS.Signals) => {
    end()
    process.off(signal, endBySignal)
    // Without a listener the signal does what it does by itself.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  process.on('exit', end)
  for (const signal of signals) process.on(signal, endBySignal)
  child.on('close', () => {
    process.off('exit', end)
    for (const signal of signals) process.off(signal, endBySignal)
  })
}
