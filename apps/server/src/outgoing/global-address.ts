import { BlockList, isIP } from 'node:net'

/**
 * Whether an IP address is one host on the internet (global unicast), and so not on the server or its
 * network. By the registries of special addresses:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and .../iana-ipv6-special-registry
 */
export function isGlobalAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address)
    case 6:
      // An address with a zone, such as fe80::1%eth0, is never global. Mapped and embedded forms
      // (::ffff:0:0/96, ::/96) are outside of 2000::/3, whatever they contain.
      return (
        !address.includes('%') && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
      )
    default:
      return false
  }
}

/**
 * Whether only name servers inside of a network know a name: single labels, reserved names
 * (https://www.iana.org/assignments/special-use-domain-names), those that routers give, and those of addresses.
 */
export function isInsideName(name: string): boolean {
  return insideName.test(name)
}

const insideName =
  /^[^.]+$|\.(?:local|localhost|localdomain|lan|home|internal|intranet|corp|private|arpa|alt|onion|test|invalid)$/i

type Network = readonly [address: string, prefix: number]

const special4Networks: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared by the customers of one provider (CGNAT).
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays of 6to4, abandoned long ago.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast addresses.
  ['224.0.0.0', 3],
]

const special4 = subnets('ipv4', special4Networks)

const global6 = subnets('ipv6', [
  ['2000::', 3],
  // NAT64: in a network without IPv4, names of IPv4 hosts resolve to these (DNS64).
  [nat64('0.0.0.0'), 96],
])

const special6 = subnets('ipv6', [
  ...special4Networks.map(([network, prefix]): Network => [nat64(network), 96 + prefix]),
  // Protocol assignments: Teredo, which contains an IPv4 address, benchmarks, ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: contains an IPv4 address of any kind.
  ['2002::', 16],
  ['3fff::', 20],
])

/** By the well-known prefix: https://www.rfc-editor.org/rfc/rfc6052 */
export function nat64(address: string): string {
  return `64:ff9b::${address}`
}

function subnets(family: 'ipv4' | 'ipv6', networks: readonly Network[]) {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}
