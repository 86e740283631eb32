import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Lists the tests of numbered rules: `node scripts/rule-tests.ts S42 P8`. Without numbers, it lists those of all rules.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

export interface RuleTest {
  readonly title: string
  /** From the repository's root. */
  readonly path: string
}

/** A title that begins with the numbers of rules, such as `S1 S3` or `[P8] S23`. */
const numbered = /(['"`])((?:\[?[A-Z]{1,3}\d+\]? )+)([^\n]*?)\1/g

/** The tests of each rule, from the numbers at the start of their titles. */
export function readRuleTests(): ReadonlyMap<string, readonly RuleTest[]> {
  const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.contract.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const tests = new Map<string, RuleTest[]>()
  for (const path of files.split('\n').filter((file) => existsSync(`${root}/${file}`))) {
    if (path === '') continue
    for (const test of testsIn(readFileSync(`${root}/${path}`, 'utf8'))) {
      for (const rule of test.rules) {
        tests.set(rule, [...(tests.get(rule) ?? []), { title: test.title, path }])
      }
    }
  }
  return tests
}

export function testsIn(source: string) {
  return Array.from(source.matchAll(numbered), ([, , numbers = '', rest = '']) => ({
    rules: numbers.match(/[A-Z]+\d+/g) ?? [],
    title: numbers + rest,
  }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = new Set(process.argv.slice(2))
  for (const [rule, tests] of readRuleTests()) {
    if (asked.size > 0 && !asked.has(rule)) continue
    process.stdout.write(`${rule}\n`)
    for (const { title, path } of tests) process.stdout.write(`  ${path}: ${title}\n`)
  }
}
