import { readdirSync, readFileSync } from 'node:fs'
import { launchServer, serverCommand } from '../../apps/server/src/test/launch-server.ts'

/** What a process takes of the machine. */
export interface Usage {
  /** Processor time of the process so far. */
  readonly cpuMs: () => number
  /** Its resident memory now. */
  readonly residentKb: () => number
}

export interface ServerProcess extends Usage {
  readonly url: string
  readonly port: number
  /** The time from the start of the process to its ready line. */
  readonly startMs: number
  /** Processor time of the main thread and of SQLite's. */
  readonly threadCpuMs: () => { readonly main: number; readonly sqlite: number }
  readonly stop: () => Promise<void>
}

const tickMs = 10
/** Positions in proc(5) after the name: the parent, then user and system time, own and of ended children. */
const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14]

/** Headers and body that a bare server sends, copied from another server's answer. */
interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The reference: a server of plain node:http. */
export function startBareServer(
  status: 200 | 204 | 304,
  { headers, body }: BareAnswer = { headers: {}, body: Buffer.alloc(0) },
): Promise<ServerProcess> {
  return startProcess([process.execPath, 'bench/server/bare-server.ts'], {
    STATUS: String(status),
    HEADERS: JSON.stringify(headers),
    BODY: body.toString('base64'),
  })
}

/** The real server on its own folder or a PostgreSQL, without rate limits for this machine. */
export function startServer(
  dataDir: string,
  settings: {
    readonly onlineWindowS: number
    readonly databaseUrl?: string
    /** The checkout whose server it is. By default, this one. */
    readonly root?: string
    /** Settings of its own. */
    readonly env?: Readonly<Record<string, string>>
  },
): Promise<ServerProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: String(settings.onlineWindowS),
    DATABASE_URL: settings.databaseUrl ?? '',
    ...settings.env,
  }
  return startProcess(serverCommand, env, settings.root)
}

/** Starts a command that prints its address when it is ready. */
export async function startProcess(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  folder?: string,
): Promise<ServerProcess> {
  const { PATH } = process.env
  const { pid, url, startMs, stop } = await launchServer({
    command,
    env: { PATH, ...env },
    ...(folder !== undefined && { folder }),
  })
  return {
    url,
    port: Number(new URL(url).port),
    startMs,
    ...usageOf(pid),
    threadCpuMs: () => {
      const tasks = `/proc/${pid}/task`
      const nameOf = (id: string) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim()
      const sqlite = readdirSync(tasks).find((id) => nameOf(id) === 'sqlite')
      return {
        main: readCpuMs(`${tasks}/${pid}/stat`),
        sqlite: sqlite === undefined ? 0 : readCpuMs(`${tasks}/${sqlite}/stat`),
      }
    },
    stop,
  }
}

export function usageOf(pid: number): Usage {
  return {
    cpuMs: () => readCpuMs(`/proc/${pid}/stat`),
    residentKb: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  }
}

/** Processor time of a process and all its children, including ended ones. */
export function familyCpuMs(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), readStat(`/proc/${name}/stat`)] as const)
    .filter(([id, fields]) => id === pid || fields[parent] === pid)
  const ended = stats.find(([id]) => id === pid)?.[1] ?? []
  const ticks = stats.reduce((sum, [, fields]) => sum + ticksOf(fields), 0)
  return (ticks + (ended[endedUser] ?? 0) + (ended[endedSystem] ?? 0)) * tickMs
}

function readCpuMs(statFile: string): number {
  return ticksOf(readStat(statFile)) * tickMs
}

function ticksOf(fields: readonly number[]): number {
  return (fields[user] ?? 0) + (fields[system] ?? 0)
}

/** @returns an empty list for a process that has ended meanwhile */
function readStat(statFile: string): readonly number[] {
  try {
    return readFileSync(statFile, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
  } catch {
    return []
  }
}
