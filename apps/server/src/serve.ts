import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { steadyClock } from './clock.ts'
import { ConfigError, readConfig } from './config.ts'
import { startWarnings } from './start-warnings.ts'
import { DataDirLocked } from './storage/data-dir-lock.ts'
import { DatabaseMissing } from './storage/sqlite-storage.ts'
import { DatabaseUnreachable } from './storage/storage-error.ts'
import { openStorage, type Storage } from './storage/storage.ts'
import { CopyUnfinished } from './storage/unfinished-copy.ts'
import { warmTicks } from './warm-ticks.ts'

/** Past this a shutdown no longer waits for anybody. */
const shutdownLimitMs = 9000

const log = pino()
await warmTicks()

try {
  const { app, storage } = await start()
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  log.info('shutting down')
  setTimeout(() => process.exit(1), shutdownLimitMs).unref()
  await app.close()
  await storage.close()
} catch (error) {
  const isOperators = [
    ConfigError,
    CopyUnfinished,
    DataDirLocked,
    DatabaseMissing,
    DatabaseUnreachable,
  ].some((kind) => error instanceof kind)
  if (isOperators && error instanceof Error) {
    process.stderr.write(`${error.message}\n`)
  } else {
    log.fatal({ err: error }, 'the server failed')
  }
  process.exit(1)
}

async function start(): Promise<{ app: FastifyInstance; storage: Storage }> {
  const config = readConfig()
  const { webDir } = config
  if (!existsSync(webDir)) throw new ConfigError('The web app is not built: run npm start')
  // What the server writes holds password hashes: it is for the server's own user alone.
  process.umask(0o077)
  const storage = await openStorage({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    onFatal: (error) => {
      log.fatal({ err: error }, 'the storage is lost')
      process.exit(1)
    },
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
  const app = await buildApp({ config, storage, clock, log, webDir })
  await app.listen({ host: config.host, port: config.port })
  for (const warning of startWarnings(config)) log.warn(warning)
  const { publicUrl, dataDir } = config
  const kept = storage.kind === 'sqlite' ? { dataDir } : { database: storage.kind }
  log.info({ publicUrl, ...kept }, 'Astropelago is ready')
  return { app, storage }
}
