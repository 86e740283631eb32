/**
 * Runs the server's tests on Debian's PostgreSQL 15: `node scripts/postgres-tests.ts`. Tests go through
 * Debian's pgbouncer in transaction mode where possible, and with `--direct` none do. Other arguments go to
 * Vitest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startDebianPostgres, startPgbouncer } from './debian-postgres.ts'
import { storageTests } from './storage-tests.ts'

const { values, positionals } = parseArgs({
  options: { direct: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const directFiles = [
  // Moving and restoring data refuse a pooler.
  'storage/copy/postgres-copy-refusals.test.ts',
  'storage/copy/postgres-copy-storage.test.ts',
  'storage/backup/backup.test.ts',
  'storage/from-dfe8154.test.ts',
  'postgres-durability.test.ts',
  'postgres-migrate-storage.test.ts',
  // This test creates a role, and the pooler knows only the roles in its list.
  'postgres-trigrams.test.ts',
]
/** A single test that needs a direct connection. The rest of its file goes through the pooler. */
const directTest = {
  // The test cuts the first commit on the wire, and through a pooler every read has a commit.
  file: 'postgres-cluster.test.ts',
  name: String.raw`S22 a deletion whose "commit\\u0000" is cut off`,
}

const postgres = await startDebianPostgres()
try {
  if (values.direct) await runTests(postgres.url, positionals)
  else {
    const pooler = await startPgbouncer(postgres.url)
    try {
      // Listed by name, because Vitest's --exclude has no effect on a project that lists its files.
      const pooled = storageTests().filter(
        (path) => !directFiles.some((file) => path.endsWith(file)),
      )
      await runTests(pooler.url, [
        `--testNamePattern=^(?!.*${directTest.name})`,
        ...(positionals.length === 0 ? pooled : positionals),
      ])
    } finally {
      await pooler.stop()
    }
    if (positionals.length === 0) {
      await runTests(postgres.url, directFiles)
      await runTests(postgres.url, [directTest.file, `--testNamePattern=${directTest.name}`])
    }
  }
} finally {
  await postgres.remove()
}

async function runTests(url: string, more: readonly string[]): Promise<void> {
  const tests = spawn(
    'vitest',
    ['run', '--config', 'vitest.long.config.ts', '--project', 'server on PostgreSQL', ...more],
    {
      stdio: 'inherit',
      env: { ...process.env, TEST_DATABASE_URL: url },
    },
  )
  const [code] = await once(tests, 'close')
  if (code !== 0) process.exitCode = 1
}
