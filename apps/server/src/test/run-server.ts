import { spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const mainFile = resolve(import.meta.dirname, '../main.ts')

interface RunOptions {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the server, such as a tracer with its options. */
  readonly under?: readonly string[]
}

export interface ServerProcess {
  /** The server's own process, also when it runs under another command. */
  readonly pid: number
  readonly url: string
  /** From the start of the process to the line that says it is ready. */
  readonly startMs: number
  readonly stdout: () => string
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

export interface EndedProcess {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start({ dataDir, env, under = [] }: RunOptions) {
  const startedMs = performance.now()
  const [command, ...rest] = [...under, process.execPath, mainFile] as const
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const exited = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(() => killHard(child))
  return { child, output, exited, startedMs }
}

/** Starts the real server on a free port and waits until it is ready. */
export async function runServer(options: RunOptions): Promise<ServerProcess> {
  const { child, output, exited, startedMs } = start(options)
  await new Promise<void>((ready, fail) => {
    child.stdout.on('data', () => {
      if (output.stdout.includes('Astropelago is ready')) ready()
    })
    child.on('close', () => fail(new Error(`The server ended: ${output.stderr}${output.stdout}`)))
  })
  const startMs = performance.now() - startedMs
  const [, url = ''] = /Server listening at (http:[^"\s]+)/.exec(output.stdout) ?? []
  const pid = Number(/"pid":(\d+)/.exec(output.stdout)?.[1])
  onTestFinished(() => killPid(pid, 'SIGKILL'))
  return {
    pid,
    url,
    startMs,
    stdout: () => output.stdout,
    exited,
    kill: (signal) => killPid(pid, signal),
  }
}

/** Runs a server that is expected to end by itself. */
export async function runToEnd(options: RunOptions): Promise<EndedProcess> {
  const { output, exited } = start(options)
  const code = await exited
  return { code, ...output }
}

function killHard(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}

function killPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
