import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The rules that are named in a text, each once. */
const rulesIn = (text: string) => new Set(text.match(/\[A\d+\]/g))

test('each rule of the protocol is named by a test, and the other way round', () => {
  const doc = readFileSync(new URL('../../../docs/relay.md', import.meta.url), 'utf8')
  const rules = new Set([...doc.matchAll(/^\*\*(\[A\d+\])/gm)].map(([, rule = '']) => rule))
  expect(rules.size).toBeGreaterThan(10)
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const titles = tests.flatMap((text) =>
    text.match(/(?:test|describe)(?:\.each\()?[^]*?\[A\d+\][^\n]*/g),
  )
  expect(rulesIn(titles.join('\n'))).toEqual(rules)
})
