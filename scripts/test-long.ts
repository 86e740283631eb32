/** What takes too long, or needs too much, to be run with each change. */
import { call, command, runPhases } from './run-phases.ts'
import { provideLongTestTools } from './system-tools.ts'

const budgetS = 1800

await runPhases(
  [
    [[call('programs the tests need', () => provideLongTestTools())]],
    [
      [
        command('types of what needs them', 'tsc', '-p', 'scripts/long-tests'),
        command(
          'lint of what needs them',
          'oxlint',
          '--type-aware',
          '--deny-warnings',
          'scripts/long-tests',
        ),
      ],
    ],
    [[command('known vulnerabilities of what ships', 'node', 'scripts/audit.ts')]],
    [[command('build', 'npm', 'run', '--silent', 'build')]],
    [[command('the package by npx', 'node', 'scripts/run-package.ts')]],
    [[command('TLS to the database', 'node', 'scripts/postgres-tls.ts')]],
    [
      [
        command(
          'the server’s tests on PostgreSQL 15, through pgbouncer where they can',
          'node',
          'scripts/postgres-tests.ts',
        ),
      ],
    ],
    [
      [
        command(
          '50,000 fuzzed requests',
          'env',
          'FUZZ_REQUESTS=50000',
          'vitest',
          'run',
          '--project=server',
          'apps/server/src/fuzz',
        ),
      ],
    ],
    [
      [
        command(
          'who may know of islands, in 60 worlds of them',
          'env',
          'DOORS_RUNS=60',
          'vitest',
          'run',
          '--project=server',
          'apps/server/src/features/islands/doors.property.test.ts',
        ),
      ],
    ],
    [
      [
        command(
          'the agent on the versions of Node that it is for',
          'node',
          'scripts/agent-nodes.ts',
        ),
      ],
    ],
    [
      [
        command(
          'the relay while the server dies that holds an agent',
          'node',
          'scripts/relay-instances.ts',
        ),
      ],
    ],
    [[command('services at home through the relay', 'node', 'scripts/relay-services.ts')]],
    [
      [
        command(
          'an island in Chromium and Firefox',
          'node',
          'scripts/long-tests/relay-browsers.ts',
        ),
      ],
    ],
    [[command('faults of the relay', 'node', 'scripts/relay-faults.ts')]],
    [[command('what users are told of their devices', 'node', 'scripts/alerts-told.ts')]],
    [[command('heartbeats while strangers do their worst', 'node', 'scripts/abuse.ts')]],
    [[command('two servers behind Caddy', 'node', 'scripts/behind-caddy.ts')]],
    [[command('the relay behind Caddy', 'node', 'scripts/relay-behind-caddy.ts')]],
    [[command('a server and the relay behind nginx', 'node', 'scripts/behind-nginx.ts')]],
    [[command('the image, without Docker', 'node', 'scripts/dockerfile-steps.ts')]],
    [[command('ten commands on a bare Debian', 'node', 'scripts/bare-debian.ts')]],
    [[command('Lighthouse', 'node', 'scripts/long-tests/lighthouse.ts')]],
    [[command('the main screens in Firefox', 'node', 'scripts/long-tests/firefox.ts')]],
    [[command('100,000 devices to PostgreSQL and back', 'node', 'scripts/move-devices.ts')]],
  ],
  budgetS,
)
