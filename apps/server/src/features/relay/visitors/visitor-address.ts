import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressSet, isAmong } from '../../../http/rate-limits.ts'

/**
 * Finds a visitor's address: the connection's, or behind trusted proxies the last forwarded one that is not
 * a trusted proxy's, as the site does.
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
