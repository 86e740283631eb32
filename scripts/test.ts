/** Everything that must hold before a change is done, in the order that fails fastest. */
import { call, command, runPhases } from './run-phases.ts'
import { provideSystemTools } from './system-tools.ts'

/** Installing aside; two minutes of it are for PostgreSQL, and one each for operations, islands, relay and alerts. */
const budgetS = 720

await runPhases(
  [
    [
      [
        command('format', 'oxfmt', '--check'),
        command('lint', 'oxlint', '--type-aware', '--deny-warnings'),
        command('types', 'npm', 'run', '--silent', 'check:types'),
        command('dead code', 'knip'),
      ],
      [
        call('programs the tests need', () => provideSystemTools()),
        command('build', 'npm', 'run', '--silent', 'build'),
      ],
    ],
    [[command('unit, API and component tests', 'vitest', 'run')]],
    [[command('browser tests', 'playwright', 'test', '--config', 'e2e')]],
  ],
  budgetS,
)
