import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonDepth } from './json-depth.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('the depth of a text is the depth of what it says, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(jsonDepth(JSON.stringify(value))).toBe(depthOf(value))
    }),
  )
})

test.each([
  ['"[[[{"', 0],
  ['"\\"[["', 0],
  [`[{"a\\\\":[]}]`, 3],
  ['['.repeat(100_000) + ']'.repeat(100_000), 100_000],
])(
  '%#: brackets in strings count for nothing, and depth has no limit of its own',
  (json, depth) => {
    expect(jsonDepth(json)).toBe(depth)
  },
)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a text is JSON where JSON.parse takes it, and else has no depth', () => {
  const sign = fc.constantFrom('', '"', ',', '}', ']', '0', '-', '.', 'e', '\\', '\n', '\u0001')
  const nearlyJson = fc.tuple(fc.json(), fc.nat(), sign, fc.nat(1)).map(([text, at, put, cut]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + put + text.slice(from + cut)
  })
  const signs = fc.string({ unit: fc.constantFrom(...Array.from('{}[],:" \n01-+.eEtruefalsn\\u')) })
  fc.assert(
    fc.property(fc.oneof(nearlyJson, signs, fc.json()), (text) => {
      expect(jsonDepth(text) !== undefined).toBe(isJson(text))
    }),
    { numRuns: 2000 },
  )
})
