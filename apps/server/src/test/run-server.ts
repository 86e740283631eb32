import { onTestFinished } from 'vitest'
import {
  type EndedServer,
  type LaunchedServer,
  launchServer,
  runToEnd as launchToEnd,
  serverCommand,
  signalProcess,
} from './launch-server.ts'

interface RunOptions {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the server, such as a tracer with its options. */
  readonly under?: readonly [string, ...string[]]
  /** Whether it restarts when its files change. */
  readonly isWatched?: boolean
}

export type ServerProcess = LaunchedServer

/** Starts the real server on a free port and waits until it is ready. It ends with the test. */
export async function runServer(options: RunOptions): Promise<ServerProcess> {
  const server = await launchServer(launchOptions(options))
  onTestFinished(() => signalProcess(server.pid, 'SIGKILL'))
  return server
}

/** Runs a server that is expected to end by itself. */
export function runToEnd(options: RunOptions): Promise<EndedServer> {
  return launchToEnd(launchOptions(options))
}

function launchOptions({ dataDir, env, under, isWatched = false }: RunOptions) {
  const [node, main] = serverCommand
  const command = [node, ...(isWatched ? ['--watch'] : []), main] as const
  return {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...env },
    command: under ? ([...under, ...command] as const) : command,
    onSpawn: ({ pid }: { readonly pid?: number | undefined }) => {
      if (pid !== undefined) onTestFinished(() => signalProcess(pid, 'SIGKILL'))
    },
  }
}
