import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { steadyClock } from './clock.ts'
import type { Config } from './config.ts'
import { AdminSocket } from './http/admin-socket.ts'
import { databasePath } from './storage/sqlite-storage.ts'
import { sqliteUnusable } from './storage/sqlite-unusable.ts'
import { StorageUnavailable } from './storage/storage-error.ts'
import { openStorage } from './storage/storage.ts'

const migrationBegins =
  'migration begins: the server answers once it is done; a large one takes a second for each 10,000 devices'

interface OpenAppOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly webDir: string | undefined
}

/** The app on the storage that the settings name. It does not listen yet. */
export async function openApp({ config, log, webDir }: OpenAppOptions) {
  const { dataDir, databaseUrl } = config
  const storage = await openStorage({
    dataDir,
    databaseUrl,
    onFatal: (error) => {
      log.fatal({ err: error }, 'the storage is lost')
      process.exit(1)
    },
    onMigration: ({ name, ms }) =>
      ms === undefined
        ? log.info({ migration: name }, migrationBegins)
        : log.info({ migration: name, ms }, 'migration done'),
  })
  const clock = steadyClock({
    ...(storage.kind === 'postgres' && { wall: storage.instance.clock.now }),
    onSetBack: (behindMs) => {
      log.warn(
        { behindMs },
        'the machine’s clock was set back; the server’s goes on from where it was',
      )
    },
  })
  const adminSocket = new AdminSocket()
  const parts = { config, storage, clock, log, webDir, adminSocket, makesLounge: true }
  const app = await buildApp(parts).catch(async (error: unknown) => {
    await storage.close().catch(() => undefined)
    // The first queries of a start may be the ones that find a damaged database.
    const isOfFile = storage.kind === 'sqlite' && error instanceof StorageUnavailable
    throw isOfFile ? sqliteUnusable(error, databasePath(dataDir)) : error
  })
  await app.ready()
  return {
    app,
    storage,
    /** @throws AdminSocketUnusable */
    listenForCommands: () => adminSocket.listen(app, dataDir),
    close: async (): Promise<void> => {
      await app.close()
      await storage.close()
    },
  }
}
