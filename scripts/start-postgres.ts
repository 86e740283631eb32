import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../apps/server/src/test/listen.ts'
import { makeFolder, unlessRoot } from './throwaway-process.ts'

export interface OwnPostgres {
  /** The default database. Tests create others beside it. */
  readonly url: string
  readonly start: () => Promise<void>
  /** Closes all connections at once, like a restart. */
  readonly stop: () => Promise<void>
  /** Stops it and deletes its data. */
  readonly remove: () => Promise<void>
}

interface PostgresOptions {
  /** The folder with `initdb` and `postgres`. */
  readonly binaries: string
  /** `name=value`, in addition to the settings of every PostgreSQL started here. */
  readonly settings: readonly string[]
}

const user = 'astropelago'
/** No password on loopback, because the data is worth nothing. */
const initdbArgs = ['-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
/** PostgreSQL's fast shutdown, which disconnects clients. */
const stopSignal = 'SIGINT'
const keptLogLength = 4000
/** Without syncs data does not survive a power cut, which does not happen in tests. */
export const hurriedSettings = ['fsync=off', 'full_page_writes=off']

/**
 * Starts an empty PostgreSQL on a free port. It ends with this process, unless SIGKILL kills the process.
 * @throws Error with its log if it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<OwnPostgres> {
  // PostgreSQL refuses to run as root.
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
    // Without other listeners, restore the signal's default effect.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  process.on('exit', end)
  for (const signal of signals) process.on(signal, endBySignal)
  child.on('close', () => {
    process.off('exit', end)
    for (const signal of signals) process.off(signal, endBySignal)
  })
}
