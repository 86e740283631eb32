import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { adminSocketPath, isAnswering } from '../http/admin-socket.ts'
import { DataDirLocked } from '../storage/data-dir-lock.ts'
import { callServerAt } from './call-server.ts'
import { CommandRefused, type CallRoute } from './command.ts'

interface ReachedServer {
  readonly call: CallRoute
  readonly leave: () => Promise<void>
}

/**
 * The server that runs on the folder of the settings; where none does, one of its own without a port, so
 * that a command is answered by the same code with the same memory either way.
 */
export async function reachServer(): Promise<ReachedServer> {
  const config = readConfig()
  const path = adminSocketPath(config.dataDir)
  const call = callServerAt(path)
  if (await mayAsk(path)) return { call, leave: () => Promise.resolve() }
  process.umask(0o077)
  // Loaded by those who need it: it is all of the server.
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
