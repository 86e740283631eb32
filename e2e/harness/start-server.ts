import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchServer } from '../../apps/server/src/test/launch-server.ts'
import { freePort } from '../../apps/server/src/test/listen.ts'

export interface RunningServer {
  /** The server's PUBLIC_URL, without a slash at the end. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export interface RestartableServer extends RunningServer {
  /** Stops the server, runs `whileDown`, and starts it again at the same address with the same data. */
  readonly restart: (whileDown?: () => Promise<void>) => Promise<void>
}

interface ServerOptions {
  /** Settings besides PORT, PUBLIC_URL and DATA_DIR. */
  readonly settings?: Readonly<Record<string, string>>
  /** The command to run. By default the server alone, with the web app's current build. */
  readonly command?: readonly [string, ...string[]]
  /** Fills the data folder before the server opens it. */
  readonly prepareData?: (dataDir: string) => Promise<void>
}

/** Starts the real server with its own port and data folder, and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RestartableServer> {
  const { settings = {}, command, prepareData } = options
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dataDir = await mkdtemp(join(tmpdir(), 'astropelago-e2e-'))
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    LIMIT_EXEMPT: '127.0.0.1',
    ...settings,
  }
  const launch = () => launchServer({ env, ...(command && { command }), isGroup: true })
  const removeData = () => rm(dataDir, { recursive: true, force: true })
  try {
    await prepareData?.(dataDir)
    let server = await launch()
    return {
      url,
      stop: async () => {
        await server.stop()
        await removeData()
      },
      restart: async (whileDown) => {
        await server.stop()
        await whileDown?.()
        server = await launch()
      },
    }
  } catch (error) {
    await removeData()
    throw error
  }
}
