import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

const repositoryRoot = resolve(import.meta.dirname, '../../../..')

interface LaunchOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** What to run. By default, the server alone. */
  readonly command?: readonly [string, ...string[]]
  /** Where to run it. By default, in the repository's root. */
  readonly folder?: string
  /**
   * Whether it gets its own process group, which ends together with everything that the command started.
   */
  readonly isGroup?: boolean
  /** Called with the process as soon as it runs, before it is ready or has failed. */
  readonly onSpawn?: (child: ChildProcess) => void
}

export interface LaunchedServer {
  /** The server's own process ID, even if it runs under another command. */
  readonly pid: number
  /** Where it listens, whatever its PUBLIC_URL. */
  readonly url: string
  /** Time from the start of the process to the line that says it is ready. */
  readonly startMs: number
  readonly stdout: () => string
  /** Resolves with the exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>
  /** Signals the server, or all of its process group if it has one. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** Stops it like Ctrl+C, and resolves when it has ended. */
  readonly stop: () => Promise<void>
}

export interface EndedServer {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const serverCommand = [process.execPath, 'apps/server/src/main.ts'] as const

/** Starts a server process and waits until it says that it is ready. */
export async function launchServer(options: LaunchOptions): Promise<LaunchedServer> {
  const startedMs = performance.now()
  const { child, output, exited } = start(options)
  await new Promise<void>((ready, fail) => {
    const look = () => {
      if (!output.stdout.includes('is ready')) return
      child.stdout.off('data', look)
      ready()
    }
    child.stdout.on('data', look)
    void exited.then(() => fail(new Error(`It did not start: ${output.stderr}${output.stdout}`)))
  })
  const startMs = performance.now() - startedMs
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output.stdout) ?? []
  const pid = Number(/"pid":(\d+)/.exec(output.stdout)?.[1] ?? child.pid)
  const kill = (signal: NodeJS.Signals) => {
    signalProcess(options.isGroup === true ? -Number(child.pid) : pid, signal)
  }
  return {
    pid,
    url,
    startMs,
    stdout: () => output.stdout,
    exited,
    kill,
    stop: async () => {
      kill('SIGINT')
      await exited
    },
  }
}

/** Runs a server that is expected to end by itself. */
export async function runToEnd(options: LaunchOptions): Promise<EndedServer> {
  const { output, exited } = start(options)
  const code = await exited
  return { code, ...output }
}

function start(options: LaunchOptions) {
  const { env, command = serverCommand, folder = repositoryRoot, isGroup = false } = options
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  options.onSpawn?.(child)
  const output = { stdout: '', stderr: '' }
  // Both are read to the end, because a full pipe would stop the server.
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const exited = new Promise<number | null>((done) => child.on('close', done))
  return { child, output, exited }
}

/** Ignores a process that no longer exists. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
