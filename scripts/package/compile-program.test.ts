import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchServer } from '../../apps/server/src/test/launch-server.ts'
import { makeWebDir } from '../../apps/server/src/test/make-web-dir.ts'
import { compileFile, compilePrograms } from './compile-program.ts'

const root = resolve(import.meta.dirname, '../..')

/** Inside node_modules, where the server's packages are found and Node does not run TypeScript. */
async function makeFolder(): Promise<string> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('imports, workers and other files are found; types become blanks', () => {
  const source = `import { pageOf } from '@astropelago/contract/pages'
import type { Config } from './config.ts'
import { parse } from 'valibot'
const worker: URL = new URL('./storage/worker.ts', import.meta.url)
const words = new URL('./words.txt', import.meta.url)
const module = await import('../late.ts')
`
  const { code, imports, assets } = compileFile('apps/server/src/main.ts', source)
  expect(code).toBe(`import { pageOf } from '../../../packages/contract/src/pages.js'
${' '.repeat("import type { Config } from './config.ts'".length)}
import { parse } from 'valibot'
const worker${' '.repeat(': URL'.length)} = new URL('./storage/worker.js', import.meta.url)
const words = new URL('./words.txt', import.meta.url)
const module = await import('../late.js')
`)
  expect(imports).toEqual([
    'packages/contract/src/pages.ts',
    'apps/server/src/storage/worker.ts',
    'apps/server/late.ts',
  ])
  expect(assets).toEqual(['apps/server/src/words.txt'])
})

test('an unresolved import is an error', () => {
  const source = 'const late = await import(`./late.ts`)\n'
  expect(() => compileFile('apps/server/src/main.ts', source)).toThrow('names ./late.ts')
})

test('the compiled server runs inside node_modules', async () => {
  const folder = await makeFolder()
  const compiled = await compilePrograms(['apps/server/src/main.ts'], root, folder)
  expect([...compiled].filter((path) => /\.test\.|\.contract\.|\/test(ing)?\//.test(path))).toEqual(
    [],
  )
  // The server has its own version of some packages that a tool at the root needs too.
  await symlink(join(root, 'apps/server/node_modules'), join(folder, 'apps/server/node_modules'))
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      WEB_DIR: await makeWebDir(),
    },
    command: [process.execPath, join(folder, 'apps/server/src/main.js')],
  })
  expect((await fetch(new URL('/readyz', server.url))).status).toBe(200)
  await server.stop()
  expect(await server.exited).toBe(0)
})
