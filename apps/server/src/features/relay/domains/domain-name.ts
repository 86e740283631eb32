import { isIP } from 'node:net'
import { proofLabel } from '@astropelago/contract/island-domain'
import { parse } from 'tldts'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'

const nameMaxLength = 253 - proofLabel.length - 1
/** Letters, digits and hyphens (RFC 1123). Other letters are written in punycode, which is such a label. */
const labelPattern = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
/** Browsers read a name that ends so as an IPv4 address: https://url.spec.whatwg.org/#ends-in-a-number-checker */
const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/

/** The domain in lower case, without a dot at its end. @throws DomainError `invalid_domain` */
export function readDomainName(
  text: string,
  config: Pick<Config, 'publicUrl' | 'relayDomain'>,
): string {
  const name = text.trim().toLowerCase().replace(/\.$/, '')
  const sentence = problemOf(name, config)
  if (sentence !== undefined) {
    throw new DomainError('invalid_domain', { fields: { name: sentence } })
  }
  return name
}

function problemOf(
  name: string,
  { publicUrl, relayDomain = 'localhost' }: Pick<Config, 'publicUrl' | 'relayDomain'>,
): string | undefined {
  if (isIP(name) !== 0 || endsInNumber.test(name)) {
    return 'This is an IP address. Enter the name of a domain.'
  }
  if (/[^\0-\x7f]/.test(name)) {
    return 'Write this domain in punycode, which begins with xn--, as your provider shows it.'
  }
  const labels = name.split('.')
  if (labels.length < 2 || !labels.every((label) => labelPattern.test(label))) {
    return 'Enter the name of a domain alone, such as bar.example.org.'
  }
  if (name.length > nameMaxLength) return 'This name is too long.'
  if (parse(name, { allowPrivateDomains: true }).publicSuffix === name) {
    return 'Many people have names below this one. Enter one that is yours.'
  }
  const site = new URL(publicUrl).hostname
  if (isAtOrBelow(site, name) || isAtOrBelow(name, relayDomain)) {
    return 'This name belongs to this site.'
  }
  return undefined
}

function isAtOrBelow(name: string, parent: string): boolean {
  return name === parent || name.endsWith(`.${parent}`)
}
