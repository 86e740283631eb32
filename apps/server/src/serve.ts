import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createLog, journalLine } from './log.ts'
import { type Config, ConfigError, isJournal, dataLocation, readConfig } from './config.ts'
import { AdminSocketUnusable } from './http/admin-socket.ts'
import { openApp } from './open-app.ts'
import { isOperatorsToMend } from './start-failure.ts'
import { startWarnings } from './start-warnings.ts'
import { version } from './version.ts'
import { warmTicks } from './warm-ticks.ts'

const shutdownLimitMs = 9000

/** By the system's error code. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program has it already',
  EACCES: 'PORT: this user may not listen on it; take one above 1023',
  EADDRNOTAVAIL: 'HOST: is no address of this machine',
  ENOTFOUND: 'HOST: nobody knows that name',
  EAI_AGAIN: 'HOST: nobody knows that name',
}

const log = createLog({ isJournal: isJournal() })
await warmTicks()

try {
  const config = readConfig()
  log.level = config.logLevel
  log.info({ version }, 'starting')
  const { close } = await start(config)
  // The signals are awaited before that line, because its reader may send one at once.
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  log.info({ publicUrl: config.publicUrl, ...dataLocation(config) }, 'Astropelago is ready')
  await ended
  log.info('shutting down')
  setTimeout(() => process.exit(1), shutdownLimitMs).unref()
  await close()
} catch (error) {
  if (isOperatorsToMend(error)) {
    process.stderr.write(isJournal() ? journalLine(50, `${error.message}\n`) : `${error.message}\n`)
  } else {
    log.fatal({ err: error }, 'the server failed')
  }
  process.exit(1)
}

async function start(config: Config) {
  const { host, port, webDir } = config
  if (!existsSync(webDir)) throw new ConfigError('The web app is not built: run npm run build')
  // The server's files contain password hashes, so only their owner may read them.
  process.umask(0o077)
  const open = await openApp({ config, log, webDir })
  try {
    await open.app.listen({ host, port })
  } catch (error) {
    throw unusableAddress(error, config)
  }
  try {
    await open.listenForCommands()
  } catch (error) {
    // Other callers are still served.
    if (!(error instanceof AdminSocketUnusable)) throw error
    log.warn(error.message)
  }
  for (const warning of startWarnings(config)) log.warn(warning)
  return open
}

/** Why it can't listen there, as the one line that the operator reads. */
function unusableAddress(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  return reason === undefined
    ? error
    : new ConfigError(`${reason} (HOST=${host} PORT=${port})`, { cause: error })
}
