import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

const repositoryRoot = resolve(import.meta.dirname, '../..')
const readyLine = 'Astropelago is ready'

export interface RunningServer {
  /** Its PUBLIC_URL, without a slash at the end. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export interface RestartableServer extends RunningServer {
  /** Ends it, and starts it anew at the same address with the same data, after what is done meanwhile. */
  readonly restart: (whileDown?: () => Promise<void>) => Promise<void>
}

interface ServerOptions {
  /** Settings besides PORT, PUBLIC_URL and DATA_DIR. */
  readonly settings?: Readonly<Record<string, string>>
  /** What to run; without it the server alone, from the web app's present build. */
  readonly command?: readonly [string, ...string[]]
  /** Fills the data folder before the server opens it. */
  readonly prepareData?: (dataDir: string) => Promise<void>
}

/** Starts the real server on a port and a data folder of its own, and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RestartableServer> {
  const {
    settings = {},
    command = [process.execPath, 'apps/server/src/main.ts'],
    prepareData,
  } = options
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dataDir = await mkdtemp(join(tmpdir(), 'astropelago-e2e-'))
  await prepareData?.(dataDir)
  const [program, ...args] = command
  const start = () =>
    spawn(program, args, {
      cwd: repositoryRoot,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        LIMIT_EXEMPT: '127.0.0.1',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that all that the command starts is ended with it.
      detached: true,
    })
  let child = start()
  const stop = async () => {
    await end(child)
    await rm(dataDir, { recursive: true, force: true })
  }
  const restart = async (whileDown?: () => Promise<void>) => {
    await end(child)
    await whileDown?.()
    child = start()
    await untilReady(child)
  }
  try {
    await untilReady(child)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop, restart }
}

async function untilReady(child: ChildProcess): Promise<void> {
  const said: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  if (child.stdout === null) throw new Error('The server has no output to read')
  // Read on after the ready line too: a full pipe would stop the server.
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<void>((found) => {
    lines.on('line', (line) => {
      if (line.includes(readyLine)) found()
      else said.push(`${line}\n`)
    })
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The server did not start:\n${said.join('')}`)
  })
  await Promise.race([ready, ended])
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // As Ctrl+C in a terminal does it: to the whole group.
  process.kill(-child.pid, 'SIGINT')
  await ended
}
