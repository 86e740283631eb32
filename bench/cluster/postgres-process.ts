import {
  createDatabase,
  nameOf,
  readRows,
  runStatement,
} from '../../apps/server/src/test/test-databases.ts'
import { startTestPostgres } from '../../apps/server/src/test/test-postgres.ts'
import { migratePostgres } from '../../apps/server/src/storage/postgres-storage.ts'
import { familyCpuMs } from '../server/server-process.ts'
import { seedPostgres, type PostgresSeed } from './seed-postgres.ts'

export interface PostgresProcess {
  /** @returns the address of a new database with devices */
  readonly seeded: (seed: PostgresSeed) => Promise<string>
  /** @returns the address of its copy. Nobody may be connected to the original */
  readonly copied: (url: string) => Promise<string>
  /** Processor time of all its processes so far. */
  readonly cpuMs: () => number
  readonly remove: () => Promise<void>
}

/** A PostgreSQL with its defaults, which syncs each commit. */
export async function startPostgres(): Promise<PostgresProcess> {
  const { url: serverUrl, remove } = await startTestPostgres({ isDurable: true })
  const [file] = await readRows(serverUrl, `select pg_read_file('postmaster.pid') as text`)
  const pid = Number.parseInt(String(file?.['text']), 10)
  return {
    seeded: async (seed) => {
      const url = await createDatabase(serverUrl)
      await migratePostgres(url)
      await seedPostgres(url, seed)
      return url
    },
    copied: async (url) => {
      const copy = await createDatabase(serverUrl, nameOf(url))
      // Write the copy's dirty pages now, and not during the measurement.
      await runStatement(serverUrl, 'checkpoint')
      return copy
    },
    cpuMs: () => familyCpuMs(pid),
    remove,
  }
}
