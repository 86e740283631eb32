/** Who can open an address: everyone, those in the same network, or the computer itself alone. */
export type Reach = 'everyone' | 'network' | 'computer'

/** Names that are given within a network: mDNS, and what routers hand out. */
const networkName = /\.(local|lan|home\.arpa|internal|home|intranet)$/

/**
 * Who an address can be opened by, as far as its host tells; undefined where it is none. Names of the
 * wider net may still lead inside, which only asking would tell.
 */
export function reachOf(link: string): Reach | undefined {
  if (!URL.canParse(link)) return undefined
  // The URL has written IPv4 addresses out, lowered names and shortened IPv6.
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
  // An IPv4 address within IPv6: its first two bytes are the next to last group.
  const mapped = /^::ffff:([0-9a-f]+):[0-9a-f]+$/.exec(host)
  if (mapped !== null) {
    const group = Number.parseInt(mapped[1] ?? '', 16)
    return reachOfIpv4(group >> 8, group & 255)
  }
  // fc00::/7 is for use within a site, fe80::/10 within one link.
  return /^(f[cd]|fe[89ab])/.test(host) ? 'network' : 'everyone'
}
