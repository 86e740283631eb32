import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellQuote } from './quote.ts'

function wordsOf(script: string): string[] {
  const { stdout } = spawnSync('sh', [], { input: script, encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}

const special = Array.from('\'"\\$`!#%&;|<>(){}[]*?~\n\t -=aé🚀')
const nasty = fc.string({ unit: fc.constantFrom(...special) })
const anything = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))

test('the shell reads a quoted text as exactly that text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(nasty, anything), { minLength: 1, maxLength: 20 }), (texts) => {
      const script = `printf '%s\\0' ${texts.map(shellQuote).join(' ')}`
      expect(wordsOf(script)).toEqual(texts)
    }),
    { numRuns: 150 },
  )
})

test('plain words stay unchanged', () => {
  expect(shellQuote('https://example.org:8443/a_b-c')).toBe('https://example.org:8443/a_b-c')
})

test('an empty text is still a word', () => {
  expect(shellQuote('')).toBe("''")
})
