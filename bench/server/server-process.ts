import { readdirSync, readFileSync } from 'node:fs'
import { launchServer, serverCommand } from '../../apps/server/src/test/launch-server.ts'

export interface ServerProcess {
  readonly url: string
  readonly port: number
  /** From the start of the process to the line that says it is ready. */
  readonly startMs: number
  /** What the process has taken of the processors so far. */
  readonly cpuMs: () => number
  /** The same of the main thread and of SQLite's. */
  readonly threadCpuMs: () => { readonly main: number; readonly sqlite: number }
  /** What of its memory is in use now. */
  readonly residentKb: () => number
  readonly stop: () => Promise<void>
}

const tickMs = 10

/** The reference: node:http and nothing else. */
export function startBareServer(status: 204 | 304): Promise<ServerProcess> {
  return start([process.execPath, 'bench/server/bare-server.ts'], { STATUS: String(status) })
}

/** The real server over its own folder, without limits for this machine. */
export function startServer(
  dataDir: string,
  settings: { readonly onlineWindowS: number },
): Promise<ServerProcess> {
  return start(serverCommand, {
    DATA_DIR: dataDir,
    PORT: '0',
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: String(settings.onlineWindowS),
  })
}

async function start(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const { PATH } = process.env
  const { pid, url, startMs, stop } = await launchServer({ command, env: { PATH, ...env } })
  return {
    url,
    port: Number(new URL(url).port),
    startMs,
    cpuMs: () => readCpuMs(`/proc/${pid}/stat`),
    threadCpuMs: () => {
      const tasks = `/proc/${pid}/task`
      const nameOf = (id: string) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim()
      const sqlite = readdirSync(tasks).find((id) => nameOf(id) === 'sqlite')
      return {
        main: readCpuMs(`${tasks}/${pid}/stat`),
        sqlite: sqlite === undefined ? 0 : readCpuMs(`${tasks}/${sqlite}/stat`),
      }
    },
    residentKb: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    stop,
  }
}

/** Fields 14 and 15 of proc(5), counted after the name in parentheses. */
function readCpuMs(statFile: string): number {
  const fields = readFileSync(statFile, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
