/** Everything that must hold before a change is done, in the order that fails fastest. */
import { call, command, runPhases } from './run-phases.ts'
import { provideSystemTools } from './system-tools.ts'
import { testBudgetS, recordTestFigures } from './test-budget.ts'

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
    [[command('unit, API and component tests', 'vitest', 'run')]],
    [[command('browser tests', 'playwright', 'test', '--config', 'e2e')]],
  ],
  testBudgetS,
)
if (figures !== undefined) recordTestFigures(figures)
