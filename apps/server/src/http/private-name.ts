import { isIP } from 'node:net'

const privateSuffix = /\.(local|lan|home\.arpa|internal|localhost)$/

/** Whether it is an address, or a name that exists only in a local network. */
export function isPrivateName(hostname: string): boolean {
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isAddress || !hostname.includes('.') || privateSuffix.test(hostname)
}
