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
}

export type ServerProcess = LaunchedServer

/** Starts the real server on a free port and waits until it is ready; the test's end is its end. */
export async function runServer(options: RunOptions): Promise<ServerProcess> {
  const server = await launchServer(launchOptions(options))
  onTestFinished(() => signalProcess(server.pid, 'SIGKILL'))
  return server
}

/** Runs a server that is expected to end by itself. */
export function runToEnd(options: RunOptions): Promise<EndedServer> {
  return launchToEnd(launchOptions(options))
}

function launchOptions({ dataDir, env, under }: RunOptions) {
  return {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...env },
    ...(under && { command: [...under, ...serverCommand] as const }),
    onSpawn: ({ pid }: { readonly pid?: number | undefined }) => {
      if (pid !== undefined) onTestFinished(() => signalProcess(pid, 'SIGKILL'))
    },
  }
}
