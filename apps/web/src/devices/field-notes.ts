import { registerDevice, safeLink } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { translateServerSentence } from '../language/server-sentence.ts'
import { decimalNumber } from '../lib/decimal-number.ts'
import { notANumber } from './device-draft.ts'

const harmless = { label: 'A', lat: 0, lon: 0 }

/** A remark on a field's text: the server's refusal, or who can open a link. */
export function noteOn(field: string, typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (field === 'label') return refusalOf({ label: text })
  if (field === 'link') return refusalOf({ link: text }) ?? reachNote(text)
  if (field !== 'lat' && field !== 'lon') return undefined
  const number = decimalNumber(text)
  return number === undefined ? notANumber : refusalOf({ [field]: number })
}

function refusalOf(details: Readonly<Record<string, unknown>>): string | undefined {
  const { issues } = v.safeParse(registerDevice.body, { ...harmless, ...details })
  return issues && translateServerSentence(issues[0].message)
}

function reachNote(link: string): string | undefined {
  const reach = reachOf(safeLink(link) ?? '')
  if (reach === 'computer') return t`Only this computer can open this address. Others can’t.`
  if (reach === 'network') return t`Only people in the same network can open this address.`
  return undefined
}

type Reach = 'everyone' | 'network' | 'computer'

/** Names that exist only in a local network: mDNS, and names that routers assign. */
const networkName = /\.(local|lan|home\.arpa|internal|home|intranet)$/

/** Judged by its host. A public name may still resolve to a private address. */
export function reachOf(link: string): Reach | undefined {
  if (!URL.canParse(link)) return undefined
  // The URL parser has expanded IPv4 addresses, lowercased names and shortened IPv6 addresses.
  const host = new URL(link).hostname.replace(/\.$/, '')
  if (host === '') return undefined
  if (host === 'localhost' || host.endsWith('.localhost')) return 'computer'
  if (host.startsWith('[')) return reachOfIpv6(host.slice(1, -1))
  const bytes = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host)
  if (bytes !== null) return reachOfIpv4(Number(bytes[1]), Number(bytes[2]))
  return networkName.test(host) || !host.includes('.') ? 'network' : 'everyone'
}

function reachOfIpv4(first: number, second: number): Reach {
  if (first === 127 || first === 0) return 'computer'
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254)
  return isPrivate ? 'network' : 'everyone'
}

function reachOfIpv6(host: string): Reach {
  if (host === '::1' || host === '::') return 'computer'
  // An IPv4-mapped IPv6 address. Its second to last group holds the first two bytes.
  const mapped = /^::ffff:([0-9a-f]+):[0-9a-f]+$/.exec(host)
  if (mapped !== null) {
    const group = Number.parseInt(mapped[1] ?? '', 16)
    return reachOfIpv4(group >> 8, group & 255)
  }
  // fc00::/7 is unique local, fe80::/10 link-local.
  return /^(f[cd]|fe[89ab])/.test(host) ? 'network' : 'everyone'
}
