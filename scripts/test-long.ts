/** Tests that take too long, or need too much, to run with each change. */
import { call, command, runPhases, type Step } from './run-phases.ts'
import { provideLongTestTools } from './system-tools.ts'
import { judgeTestFigures } from './test-budget.ts'

const budgetS = 1320

const script = (name: string, path: string): Step => command(name, 'node', `scripts/${path}.ts`)

await runPhases(
  [
    [
      [
        call('processor time of npm test', () => judgeTestFigures()),
        call('programs the tests need', () => provideLongTestTools()),
      ],
    ],
    [
      [
        script('known vulnerabilities of dependencies', 'audit'),
        // `npm test` leaves these out, because their packages are not installed then.
        command('types of the long tests’ folder', 'tsc', '-p', 'scripts/long-tests'),
        command(
          'lint of the long tests’ folder',
          'oxlint',
          '--type-aware',
          '--deny-warnings',
          'scripts/long-tests',
        ),
      ],
      [
        command('build', 'npm', 'run', '--silent', 'build'),
        script('the package by npx', 'run-package'),
      ],
    ],
    [
      [
        script(
          'the server’s tests on PostgreSQL 15, through pgbouncer where possible',
          'postgres-tests',
        ),
      ],
      // Runs beside it, since these mostly wait.
      [
        script('TLS to the database', 'postgres-tls'),
        script('the agent on all supported versions of Node', 'agent-nodes'),
        script('two servers behind Caddy', 'behind-caddy'),
        script('the relay behind Caddy', 'relay-behind-caddy'),
        script('two servers and the relay behind nginx', 'behind-nginx'),
      ],
    ],
    [
      [
        command(
          'long tests, with long property tests and fuzzing',
          'vitest',
          'run',
          '--config=vitest.long.config.ts',
          '--project=!server on PostgreSQL',
        ),
      ],
      [
        script('the image, without Docker', 'dockerfile-steps'),
        script('ten commands on a bare Debian', 'bare-debian'),
        script('the main screens in Firefox', 'long-tests/firefox'),
        script('an island in Chromium and Firefox', 'long-tests/relay-browsers'),
        script('a static site of 500 files, by curl', 'long-tests/static-site'),
      ],
      // Mostly waits for cron and timers.
      [script('the blocks of Connect on a Debian', 'connect-debian')],
    ],
    [
      [
        command(
          'long browser tests',
          'playwright',
          'test',
          '--config=e2e/playwright.long.config.ts',
        ),
      ],
    ],
    // These measure durations, so nothing runs beside them.
    [[script('the relay while the server of an agent dies', 'relay-instances')]],
    [[script('services at home through the relay', 'relay-services')]],
    [[script('faults of the relay', 'relay-faults')]],
    [[script('alerts about devices', 'alerts-told')]],
    [[script('heartbeats during attacks', 'abuse')]],
    [[script('Lighthouse', 'long-tests/lighthouse')]],
    [[script('100,000 devices to PostgreSQL and back', 'move-devices')]],
  ],
  budgetS,
)
