import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { badPorts } from './bad-ports.ts'
import { failureText } from './failure-text.ts'
import { isGlobalAddress, isInsideName, nat64 } from './global-address.ts'
import { resolveByDns, resolveByMachine, type ResolveName } from './resolve-names.ts'

export interface AddressRules {
  /** This server's own host names. Names below them are refused too. */
  readonly ownHosts: readonly string[]
  /** Whether addresses of this machine and its networks are allowed, which an operator may want at home. */
  readonly allowsPrivate: boolean
  readonly resolve?: ResolveName
  readonly mayReach?: (address: string) => boolean
  /** This machine's own addresses, which can be global. */
  readonly ownAddresses?: () => readonly string[]
}

export type AddressJudge = ReturnType<typeof judgeAddresses>

export const insideReason =
  'This address is inside a network, or this server’s own: nothing is sent there from here.'
const portNote = 'Nothing is sent to this port: programs listen there that speak no HTTP.'

/** Decides which addresses that users name are reached. Every client for such addresses asks it. */
export function judgeAddresses(rules: AddressRules) {
  const { allowsPrivate, ownAddresses = addressesOfMachine } = rules
  const { resolve = allowsPrivate ? resolveByMachine : resolveByDns } = rules
  const {
    mayReach = (address: string) =>
      allowsPrivate || (isGlobalAddress(address) && !isOneOf(address, ownAddresses())),
  } = rules
  const ownHosts = rules.ownHosts.map((host) => host.toLowerCase())

  const isOwnName = (name: string) =>
    ownHosts.some((own) => name === own || name.endsWith(`.${own}`))

  /** Why a host is never dialled. Names that are no one's own are judged when they are resolved. */
  const refusalOfHost = (host: string): string | undefined => {
    if (isIP(host) !== 0) return mayReach(host) ? undefined : insideReason
    const isLocal = host === 'localhost' || host.endsWith('.localhost')
    return !allowsPrivate && (isLocal || isOwnName(host)) ? insideReason : undefined
  }

  return {
    refusalOfHost,
    /** Whether a name, or what one leads to, may only be known inside of this server's network. */
    isInside: (host: string): boolean =>
      !allowsPrivate && (isIP(host) === 0 ? isInsideName(host) : !isGlobalAddress(host)),
    refusalOf: (url: URL): string | undefined =>
      badPorts.has(url.port === '' ? 80 : Number(url.port))
        ? portNote
        : refusalOfHost(bareHost(url.hostname)),
    /** All addresses of a name, or why none is dialled. */
    addressesOf: async (host: string, limitMs: number): Promise<readonly string[] | string> => {
      if (isIP(host) !== 0) return [host]
      try {
        const addresses = await inTime(resolve(host), limitMs)
        if (addresses.length === 0) return failureText(codedError('ENOTFOUND'))
        return addresses.every(mayReach) ? addresses : insideReason
      } catch (error) {
        return failureText(error)
      }
    },
  }
}

/** Dials the addresses that were judged, whatever the name resolves to by now. */
export function lookupIn(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = known
  return (_, { all }, callback) => {
    if (all === true) callback(null, known)
    else callback(null, first.address, first.family)
  }
}

/**
 * Without the brackets of IPv6 and without a trailing dot. In a URL, decimal, octal and hexadecimal forms
 * have become IPv4 already.
 */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function codedError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}

async function inTime<Result>(result: Promise<Result>, limitMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(codedError('ETIMEOUT')), limitMs)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((own = []) => own.map(({ address }) => address))
}

/** In any form, including NAT64. */
function isOneOf(address: string, addresses: readonly string[]): boolean {
  const list = new BlockList()
  for (const own of addresses) {
    const isV4 = isIP(own) === 4
    list.addAddress(own, isV4 ? 'ipv4' : 'ipv6')
    if (isV4) list.addAddress(nat64(own), 'ipv6')
  }
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}
