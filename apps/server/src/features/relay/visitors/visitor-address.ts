import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressKey, addressSet, isAmong } from '../../../http/rate-limits.ts'

/** The connection's address or, behind trusted proxies, the last forwarded one that is not a proxy's. */
export function visitorAddress(trustProxy: readonly string[]) {
  const proxies = addressSet(trustProxy)
  return ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string => {
    let address = socket.remoteAddress ?? ''
    if (trustProxy.length === 0) return address
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    while (isAmong(proxies, address)) {
      const next = forwarded.pop()?.trim() ?? ''
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** An IPv4 address, or the prefix of an IPv6 /64. Rate limits count by it. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%')
  return addressKey({ ip: address })
}
