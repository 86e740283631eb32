import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rules, violations } from './architecture.ts'

const root = new URL('..', import.meta.url)
const serverFeatures = 'apps/server/src/features'

function repositoryFiles() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
    { cwd: root, encoding: 'utf8' },
  )
  return listed
    .split('\n')
    .filter((path) => path !== '' && existsSync(new URL(path, root)))
    .map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') }))
}

test('the repository follows its import rules', () => {
  const files = repositoryFiles()
  expect(files.length).toBeGreaterThan(100)
  expect(violations(files)).toEqual([])
})

/** For each rule, a file that breaks only this rule. */
const planted: Readonly<Record<string, readonly [path: string, source: string]>> = {
  'the contract imports Valibot and itself, and does no I/O': [
    'packages/contract/src/planted.ts',
    "import { readFileSync } from 'node:fs'",
  ],
  'the platform runtime imports React, the contract and itself': [
    'packages/spark/src/planted.ts',
    "import * as v from 'valibot'",
  ],
  'the pictures of islands import nothing else': [
    'packages/island-picture/src/planted.ts',
    "import { IslandKind } from '@astropelago/contract/islands'",
  ],
  'the server does not import the web app': [
    'apps/server/src/http/planted.ts',
    "import { paths } from '../../../web/src/paths.ts'",
  ],
  'the web app does not import the server or Node': [
    'apps/web/src/planted.ts',
    "import { readConfig } from '../../server/src/config.ts'",
  ],
  'a server feature imports only types of another one’s public.ts': [
    'apps/server/src/features/devices/planted.ts',
    "import { Presence } from '../presence/presence.ts'",
  ],
  'http and storage serve every feature and import none': [
    'apps/server/src/http/planted.ts',
    "import { Presence } from '../features/presence/presence.ts'",
  ],
  'only a *-feature.ts picks SQL stores': [
    'apps/server/src/features/devices/planted-routes.ts',
    "import { sqliteDevicesStore } from './sqlite-devices-store.ts'",
  ],
  'only storage and the SQL stores know the database': [
    'apps/server/src/features/devices/planted.ts',
    "import { sql } from 'kysely'",
  ],
  'a web feature imports no other one': [
    'apps/web/src/features/connect/planted.ts',
    "const page = import('../account/account-page.tsx')",
  ],
  'the web app’s checks, devices and islands import no feature': [
    'apps/web/src/devices/planted.ts',
    "import { DevicePage } from '../features/device/device-page.tsx'",
  ],
  'ui components import neither the router, the API nor a feature': [
    'apps/web/src/ui/planted.tsx',
    "import { call } from '../lib/call.ts'",
  ],
  'the web app’s lib imports neither features nor what they know of checks, devices and islands': [
    'apps/web/src/lib/planted.ts',
    "export { SignInDialog } from '../features/sign-in/sign-in-dialog.tsx'",
  ],
}

describe('each rule finds its planted violation', () => {
  test.each(rules.map((rule) => rule.name))('%s', (name) => {
    const [path, source] = planted[name] ?? ['', '']
    expect(violations([{ path, source }])).toEqual([expect.stringContaining(name)])
  })

  test.each([
    ['a type', "import type { Row } from './second.ts'"],
    ['a page that is loaded on demand', "const page = import('./second.ts')"],
    ['a worker', "new Worker(new URL('./second.ts', import.meta.url))"],
  ])('no circular imports, by %s', (_, source) => {
    const first = { path: 'apps/web/src/first.ts', source }
    const second = { path: 'apps/web/src/second.ts', source: "export * from './third.ts'" }
    const third = { path: 'apps/web/src/third.ts', source: "import './first.ts'" }
    expect(violations([first, second, third])).toEqual([
      `${first.path} imports ${second.path} imports ${third.path} imports ${first.path}: no circular imports`,
    ])
    expect(violations([first, second])).toEqual([])
  })

  test('types of another feature’s public.ts are allowed', () => {
    const source = "import type { FlipListener } from '../presence/public.ts'"
    expect(violations([{ path: `${serverFeatures}/devices/planted.ts`, source }])).toEqual([])
  })

  test.each([
    ['apps/server/src/utils/text.ts', '', 'a vague name'],
    ['apps/web/src/ui/BigButton.tsx', '', 'names are kebab-case'],
    ['apps/web/src/ui/index.ts', '', 'no barrels inside apps'],
    ['apps/server/src/main.ts', 'process.env.PORT', 'config.ts is the only reader'],
    [
      `${serverFeatures}/devices/planted.ts`,
      "import { Presence } from '../presence/public.ts'",
      'public.ts exports only types',
    ],
  ])('%s', (path, source, reason) => {
    expect(violations([{ path, source }])).toEqual([expect.stringContaining(reason)])
  })
})
