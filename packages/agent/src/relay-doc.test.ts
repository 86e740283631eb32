import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const serverTests = join(import.meta.dirname, '../../../apps/server/src/features/relay')
/** The server's tests prove these rules for the server. */
const ofServer = [
  ...[1, 2, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21].map((rule) => `[A${rule}]`),
  ...[1, 2, 3, 4, 5, 6].map((rule) => `[F${rule}]`),
]
/** Rules about HTTP, which the agent does not read. */
const onlyOfServer = [11, 12, 13, 17, 21].map((rule) => `[A${rule}]`)

/** The rules that a text names, each once. */
const rulesIn = (text: string) => new Set(text.match(/\[[AF]\d+\]/g))

/** The rules that the titles of a folder's tests name. */
function rulesNamedIn(folder: string): Set<string> {
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const titles = tests.flatMap((text) =>
    text.match(/(?:test|describe)(?:\.each\()?[^]*?\[[AF]\d+\][^\n]*/g),
  )
  return rulesIn(titles.join('\n'))
}

test('each rule of the protocol has a test, and each tested rule exists', () => {
  const doc = readFileSync(new URL('../../../docs/relay.md', import.meta.url), 'utf8')
  const rules = new Set([...doc.matchAll(/^\*\*(\[[AF]\d+\])/gm)].map(([, rule = '']) => rule))
  expect(rules.size).toBeGreaterThan(10)
  expect(rulesNamedIn(import.meta.dirname)).toEqual(rules.difference(new Set(onlyOfServer)))
  expect(rulesNamedIn(serverTests)).toEqual(new Set(ofServer))
})
