import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const features = join(import.meta.dirname, '../../../apps/server/src/features')
const serverTests = ['relay', 'checks/locations'].map((folder) => join(features, folder))
/** The server's tests prove these rules for the server. */
const ofServer = [
  ...[1, 2, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21].map((rule) => `[A${rule}]`),
  ...[1, 2, 3, 4, 5, 6].map((rule) => `[F${rule}]`),
  ...[1, 2, 7, 9].map((rule) => `[L${rule}]`),
]
/** Rules about HTTP, which the agent does not read, and about what the server believes. */
const onlyOfServer = ['A11', 'A12', 'A13', 'A17', 'A21', 'L9'].map((rule) => `[${rule}]`)

/** The rules that a text names, each once. */
const rulesIn = (text: string) => new Set(text.match(/\[[AFL]\d+\]/g))

/** The rules that the titles of tests in these folders name. */
function rulesNamedIn(...folders: readonly string[]): Set<string> {
  const tests = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  const titles = tests.flatMap((text) =>
    text.match(/(?:test|describe)(?:\.each\()?[^]*?\[[AFL]\d+\][^\n]*/g),
  )
  return rulesIn(titles.join('\n'))
}

test('each rule of the protocol has a test, and each tested rule exists', () => {
  const doc = readFileSync(new URL('../../../docs/relay.md', import.meta.url), 'utf8')
  const rules = new Set([...doc.matchAll(/^\*\*(\[[AFL]\d+\])/gm)].map(([, rule = '']) => rule))
  expect(rules.size).toBeGreaterThan(10)
  expect(rulesNamedIn(import.meta.dirname)).toEqual(rules.difference(new Set(onlyOfServer)))
  expect(rulesNamedIn(...serverTests)).toEqual(new Set(ofServer))
})
