/** All checks that a change must pass, in the order that fails fastest. */
import { call, command, runPhases } from './run-phases.ts'
import { hashOfServer, isProvenOnPostgres, noteProvenOnPostgres } from './proven-on-postgres.ts'
import { provideSystemTools } from './system-tools.ts'
import { testBudgetS, recordTestFigures } from './test-budget.ts'

// Take the hash before anything runs, so that edits during the run do not count as tested.
const hash = await hashOfServer()
const isPostgresProven = await isProvenOnPostgres(hash)
const leftOut = isPostgresProven ? ['--project=!server on PostgreSQL'] : []

const figures = await runPhases(
  [
    [
      [
        command('format', 'oxfmt', '--check'),
        command('dead code', 'knip'),
        command('lint', 'oxlint', '--type-aware', '--deny-warnings'),
        command('types', 'npm', 'run', '--silent', 'check:types'),
      ],
      [
        call('programs the tests need', () => provideSystemTools()),
        command('build', 'npm', 'run', '--silent', 'build'),
      ],
    ],
    [
      [
        command('unit, API and component tests', 'vitest', 'run', ...leftOut),
        command('browser tests', 'playwright', 'test', '--config', 'e2e'),
      ],
    ],
  ],
  testBudgetS,
)
if (isPostgresProven)
  console.log(
    'The stores have not changed since they passed on PostgreSQL, so those tests were skipped.',
  )
if (figures !== undefined) {
  await noteProvenOnPostgres(hash)
  recordTestFigures(figures)
}
