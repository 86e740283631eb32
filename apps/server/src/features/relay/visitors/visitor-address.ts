import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressSet, isAmong } from '../../../http/rate-limits.ts'

/**
 * Tells the address that a visitor comes from: that of the connection, or where trusted proxies stand in
 * front the last that none of them is, as the site has it.
 */
export function visitorAddress(trustProxy: readonly string[]) {
  const proxies = addressSet(trustProxy)
  return ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string => {
    let address = socket.remoteAddress ?? ''
    if (trustProxy.length === 0) return address
    const said = String(headers['x-forwarded-for'] ?? '').split(',')
    while (isAmong(proxies, address)) {
      const next = said.pop()?.trim() ?? ''
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}
