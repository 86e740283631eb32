import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DomainError } from '../../../domain-error.ts'
import { readDomainName } from './domain-name.ts'

const config = { publicUrl: 'https://sky.community.example', relayDomain: 'islands.example' }

function refusalOf(text: string): string | undefined {
  try {
    readDomainName(text, config)
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.fields?.['name']
  }
}

test.each([
  ['bar.example.org', 'bar.example.org'],
  [' Bar.Example.ORG. ', 'bar.example.org'],
  ['xn--br-via.example', 'xn--br-via.example'],
  ['4.example', '4.example'],
  ['my.github.io', 'my.github.io'],
  // Not the site's, though it ends like it.
  ['notsky.community.example', 'notsky.community.example'],
  ['example.org', 'example.org'],
])('R58 %s is a domain that an island can have', (text, name) => {
  expect(readDomainName(text, config)).toBe(name)
})

test.each([
  ['co.uk', /Many people/],
  ['github.io', /Many people/],
  // A suffix in the list with other letters than a to z.
  ['xn--55qx5d.cn', /Many people/],
  ['1.2.3.4', /IP address/],
  ['::1', /IP address/],
  ['[::1]', /name of a domain alone/],
  ['bar.0x7f', /IP address/],
  ['127.1', /IP address/],
  ['sky.community.example', /this site/],
  ['community.example', /this site/],
  ['islands.example', /this site/],
  ['bar.islands.example', /this site/],
  ['a.b.islands.example', /this site/],
  ['bär.example', /punycode/],
  ['bar_x.example', /name of a domain alone/],
  ['-bar.example', /name of a domain alone/],
  ['bar..example', /name of a domain alone/],
  ['https://bar.example', /name of a domain alone/],
  ['bar.example:443', /name of a domain alone/],
  ['*.bar.example', /name of a domain alone/],
  ['example', /name of a domain alone/],
  ['', /name of a domain alone/],
  [`${'a'.repeat(64)}.example`, /name of a domain alone/],
  [`${`${'a'.repeat(60)}.`.repeat(4)}example`, /too long/],
])('R58 %s is none', (text, sentence) => {
  expect(refusalOf(text)).toMatch(sentence)
})

test('R58 whatever is accepted is a name that a URL keeps, and none of the site’s', () => {
  const part = fc.stringMatching(/^[a-wyz0-9.\-_:%]{0,12}$/)
  const end = fc.constantFrom('.islands.example', '.example', '.org', '', '.')
  fc.assert(
    fc.property(part, part, end, (one, two, last) => {
      const text = `${one}.${two}${last}`
      if (refusalOf(text) !== undefined) return
      const name = readDomainName(text, config)
      expect(name).toMatch(/^[a-z\d.-]{3,240}$/)
      expect(name).not.toMatch(/(^|\.)islands\.example$/)
      expect(URL.parse(`https://${name}`)?.hostname).toBe(name)
    }),
  )
})
