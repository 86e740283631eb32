/**
 * Runs the server's tests on Debian's PostgreSQL: `node scripts/postgres-tests.ts`, or through Debian's
 * pgbouncer in transaction mode, with `--pooler`. Other arguments are Vitest's.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startDebianPostgres, startPgbouncer } from './debian-postgres.ts'

const { values, positionals } = parseArgs({
  options: { pooler: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const notThroughPooler = [
  // Moving data locks a session for as long as it takes: docs/operations.md asks for PostgreSQL itself there.
  '--exclude=**/storage/copy/**',
  '--exclude=**/postgres-migrate-storage.test.ts',
  // It makes a role of its own, and a pooler knows those of its list alone.
  '--exclude=**/postgres-trigrams.test.ts',
  // One cuts the first commit on the wire, and through a pooler each read has one. The other has a connection
  // refuse what is written, and a pooler may hand out another one.
  String.raw`--testNamePattern=^(?!.*(?:S22 a deletion whose "commit\\u0000" is cut off|S44 storage that refuses is 503))`,
]

const postgres = await startDebianPostgres()
try {
  const pooler = values.pooler ? await startPgbouncer(postgres) : undefined
  try {
    const left = values.pooler ? notThroughPooler : []
    const tests = spawn(
      'vitest',
      ['run', '--project', 'server on PostgreSQL', ...left, ...positionals],
      {
        stdio: 'inherit',
        env: { ...process.env, TEST_DATABASE_URL: pooler?.url ?? postgres.url },
      },
    )
    const [code] = await once(tests, 'close')
    process.exitCode = code === 0 ? 0 : 1
  } finally {
    await pooler?.stop()
  }
} finally {
  await postgres.stop()
}
