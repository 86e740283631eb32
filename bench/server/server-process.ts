import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface ServerProcess {
  readonly url: string
  readonly port: number
  /** From the start of the process to the line that says it is ready. */
  readonly startMs: number
  /** What the process has taken of the processors so far. */
  readonly cpuMs: () => number
  /** What of its memory is in use now. */
  readonly residentKb: () => number
  readonly stop: () => Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const tickMs = 10

/** The reference: node:http and nothing else. */
export function startBareServer(status: 204 | 304): Promise<ServerProcess> {
  return start('bench/server/bare-server.ts', { STATUS: String(status) })
}

/** The real server over its own folder, without limits for this machine. */
export function startServer(
  dataDir: string,
  settings: { readonly onlineWindowS: number },
): Promise<ServerProcess> {
  return start('apps/server/src/main.ts', {
    DATA_DIR: dataDir,
    PORT: '0',
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: String(settings.onlineWindowS),
  })
}

async function start(file: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let output = ''
  await new Promise<void>((ready, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.includes('is ready')) return
      output += chunk.toString()
      if (output.includes('is ready')) ready()
    })
    child.on('exit', () => fail(new Error(`${file} ended: ${output}`)))
  })
  const startMs = performance.now() - startedMs
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    startMs,
    // Fields 14 and 15 of proc(5), counted after the name in parentheses.
    cpuMs: () => {
      const fields =
        readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * tickMs
    },
    residentKb: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
