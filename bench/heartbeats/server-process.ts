import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the line that says it is ready. */
  readonly startMs: number
  /** What of its memory is in use now. */
  readonly residentMb: () => number
  readonly stop: () => Promise<void>
}

const root = resolve(import.meta.dirname, '../..')

export function runBareServer(port: number): Promise<ServerProcess> {
  return run('bench/heartbeats/bare-server.ts', { PORT: String(port) }, 'ready')
}

/** The real server over its own folder; the window is so long that no seeded device goes offline. */
export function runServer(dataDir: string, port: number): Promise<ServerProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: '86400',
  }
  return run('apps/server/src/main.ts', env, 'Astropelago is ready')
}

async function run(
  file: string,
  env: Readonly<Record<string, string>>,
  readyLine: string,
): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, file], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let output = ''
  await new Promise<void>((ready, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.includes(readyLine)) return
      output += chunk.toString()
      if (output.includes(readyLine)) ready()
    })
    child.on('exit', () => fail(new Error(`${file} ended: ${output}`)))
  })
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${env['PORT']}`,
    startMs: performance.now() - startedMs,
    residentMb: () => {
      const [, kB = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(
        readFileSync(`/proc/${child.pid}/status`, 'utf8'),
      ) ?? ['', '0']
      return Number(kB) / 1000
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
