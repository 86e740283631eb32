import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig, type Config } from '../config.ts'
import { adminSocketPath, isAnswering } from '../http/admin-socket.ts'
import { DataDirLocked, isLockedBefore } from '../storage/data-dir-lock.ts'
import { databasePath } from '../storage/sqlite-storage.ts'
import { callServerAt } from './call-server.ts'
import { CommandRefused, type CallRoute } from './command.ts'

interface ReachedServer {
  readonly call: CallRoute
  readonly leave: () => Promise<void>
}

/**
 * The server that runs on the folder of the settings. If none runs, starts one without a port, so that the
 * same code with the same memory answers a command either way. Says which folder that is.
 * @throws CommandRefused if the folder has no database: servers make one, commands never do
 */
export async function reachServer(): Promise<ReachedServer> {
  const config = readConfig()
  const path = adminSocketPath(config.dataDir)
  const call = callServerAt(path)
  if (await mayAsk(path)) return { call, leave: () => Promise.resolve() }
  refuseEmptyFolder(config)
  sayWhere(config)
  process.umask(0o077)
  // Loaded only when needed, because it is all of the server.
  const { openApp } = await import('../open-app.ts')
  const log = pino({ level: 'warn' }, pino.destination(process.stderr.fd))
  try {
    const { listenForCommands, close } = await openApp({ config, log, webDir: undefined })
    await listenForCommands()
    return { call, leave: close }
  } catch (error) {
    if (!(error instanceof DataDirLocked)) throw error
    throw new CommandRefused(
      `A server is running on ${config.dataDir} that takes no commands: it is starting, ending, or of an ` +
        'older version. Try again in a moment, or restart it.',
      { cause: error },
    )
  }
}

type Where = Pick<Config, 'dataDir' | 'databaseUrl'>

/** @throws CommandRefused */
function refuseEmptyFolder({ dataDir, databaseUrl }: Where): void {
  if (databaseUrl !== undefined || existsSync(databasePath(dataDir))) return
  // The storage reports a database that has disappeared.
  if (isLockedBefore(dataDir)) return
  throw new CommandRefused(
    `There is no server’s data in ${dataDir}. Put DATA_DIR before the command: it names the folder where ` +
      'the server keeps its data.',
  )
}

function sayWhere({ dataDir, databaseUrl }: Where): void {
  const where = databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'
  process.stderr.write(`No server runs on ${dataDir}: this is done in ${where} itself.\n`)
}

async function mayAsk(path: string): Promise<boolean> {
  try {
    return await isAnswering(path)
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES'
    if (!isForbidden) throw error
    throw new CommandRefused(`${path} is for the server’s own user alone: run this as that user.`, {
      cause: error,
    })
  }
}
