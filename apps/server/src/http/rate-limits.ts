import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Address6 } from 'ip-address'
import type { Config } from '../config.ts'
import { DomainError } from '../domain-error.ts'
import { CallLimit } from './call-limit.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** For the people who share an address, each with a browser's six connections and a feed for each tab. */
const connectionsPerAddress = 500
/** A customer with IPv6 has a whole /64 to choose addresses from. */
const ipv6Subnet = 64

export function addressKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  if (!isIPv6(ip)) return ip
  const address = new Address6(ip)
  if (address.isMapped4()) return address.to4().correctForm()
  return new Address6(`${ip}/${ipv6Subnet}`).startAddress().correctForm()
}

export type RateLimits = Readonly<ReturnType<typeof rateLimits>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file of the build. A page needs many, and browsers cache them. */
    isFile?: boolean
  }
}

/** Counts what no route of the contract counts: pages, the API's description, unknown paths. */
export function limitOtherCalls(
  app: FastifyInstance,
  { anyCall }: Pick<RateLimits, 'anyCall'>,
): void {
  app.addHook('onRequest', async (request) => {
    const { route, isFile = false } = request.routeOptions.config
    if (route === undefined && !isFile) anyCall(request)
  })
}

export function rateLimits(
  { limitExempt, trustProxy }: Pick<Config, 'limitExempt' | 'trustProxy'>,
  {
    servers = () => 1,
    isFromAdminSocket = () => false,
  }: {
    readonly servers?: () => number
    readonly isFromAdminSocket?: (request: FastifyRequest) => boolean
  } = {},
) {
  const exempt = addressSet(limitExempt)
  const isExemptAddress = (ip: string) => isAmong(exempt, ip)
  const isExempt = (request: FastifyRequest) =>
    isFromAdminSocket(request) || isExemptAddress(request.ip)
  const anyCalls = new CallLimit({ maxCalls: 600, windowMs: minuteMs, servers })
  /** Looked up once for a connection, which may bring thousands of calls. */
  const peers = new WeakMap<Socket, { readonly address: string; readonly isExempt: boolean }>()
  const peerOf = (socket: Socket, ip: string) => {
    const peer = { address: addressKey({ ip }), isExempt: isExemptAddress(ip) }
    peers.set(socket, peer)
    return peer
  }
  const proxies = addressSet(trustProxy)
  return {
    isExempt,
    /** How many connections an address may hold open. Behind a proxy all come from the proxy. */
    maxConnections: (ip: string) =>
      isExemptAddress(ip) || isAmong(proxies, ip) ? Infinity : connectionsPerAddress,
    anyCall: limitBy(anyCalls),
    /** Counts a call answered below Fastify as `anyCall`. If false, the ordinary route counts it. */
    takeEarly: (socket: Socket): boolean => {
      const { remoteAddress } = socket
      // Behind a proxy the connection has another address than the client.
      if (trustProxy.length > 0 || remoteAddress === undefined) return false
      const peer = peers.get(socket) ?? peerOf(socket, remoteAddress)
      return peer.isExempt || anyCalls.take(peer.address) === 0
    },
    makeAccount: limitBy(new CallLimit({ maxCalls: 30, windowMs: hourMs, servers })),
    sendMail: limitBy(new CallLimit({ maxCalls: 20, windowMs: hourMs, servers })),
    useCode: limitBy(new CallLimit({ maxCalls: 60, windowMs: hourMs, servers })),
    badDeviceToken: limitBy(new CallLimit({ maxCalls: 60, windowMs: minuteMs, servers })),
  }

  /** @throws DomainError `rate_limited` if the address made too many calls */
  function limitBy(limit: CallLimit): (request: FastifyRequest) => void {
    const take = limitCalls(limit)
    return (request) => {
      if (!isExempt(request)) take(addressKey(request))
    }
  }
}

/** @throws DomainError `rate_limited` if one name, from any address, makes too many calls */
export function hourlyLimit(
  maxCalls: number,
  servers: () => number = () => 1,
): (who: string | number) => void {
  return limitCalls(new CallLimit({ maxCalls, windowMs: hourMs, servers }))
}

export function limitCalls(limit: CallLimit): (who: string | number) => void {
  return (who) => {
    const waitMs = limit.take(String(who))
    if (waitMs > 0) throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
  }
}

export function addressSet(addresses: readonly string[]): BlockList {
  const set = new BlockList()
  for (const address of addresses) {
    const [network = '', prefix] = address.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) set.addAddress(network, family)
    else set.addSubnet(network, Number(prefix), family)
  }
  return set
}

/** False for anything but an address, such as the path of a socket. */
export function isAmong(set: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && set.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
