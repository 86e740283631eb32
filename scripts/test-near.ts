/**
 * Runs the tests in the folders that changed since a commit, and of the files that import changed ones:
 * `npm run test:near`, or `npm run test:near -- main`. The default commit is HEAD.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { importsOf } from './architecture.ts'

const [since = 'HEAD'] = process.argv.slice(2)

const isSource = (path: string) => /\.(ts|tsx|mjs)$/.test(path)
const isTest = (path: string) => /\.test\.tsx?$/.test(path) && !path.startsWith('e2e/')

const here = linesOf('ls-files', '--cached', '--others', '--exclude-standard').filter(isSource)
const changed = new Set([
  ...linesOf('diff', '--name-only', since),
  ...linesOf('ls-files', '--others', '--exclude-standard'),
])
const importers = here.filter((path) =>
  importsOf(path, readFileSync(path, 'utf8')).some((imported) => isChanged(imported)),
)
const near = new Set([...changed, ...importers])
const folders = new Set([...near].filter((path) => !isTest(path)).map((path) => dirname(path)))
const tests = here.filter((path) => isTest(path) && (near.has(path) || folders.has(dirname(path))))

if (tests.length === 0) console.log('There are no tests near the changes.')
else {
  console.log(`${tests.length} test files are near the changes.`)
  const { status } = spawnSync('vitest', ['run', '--passWithNoTests', ...tests], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

/** @param imported as importsOf returns it, which leaves off the extension for files of our own packages */
function isChanged(imported: string): boolean {
  return changed.has(imported) || changed.has(`${imported}.ts`)
}

function linesOf(...words: readonly string[]): string[] {
  const lines = execFileSync('git', words, { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line !== '')
}
