import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

export type OwnOrigin = (request: Pick<FastifyRequest, 'host' | 'protocol'>) => string

const privateSuffix = /\.(local|lan|home\.arpa|internal|localhost)$/

/**
 * PUBLIC_URL, or without it the requested host, because a Raspberry Pi has any name. Only names that no
 * stranger can point at this server count (DNS rebinding).
 */
export function ownOrigin({
  publicUrl,
  hasPublicUrl,
}: Pick<Config, 'publicUrl' | 'hasPublicUrl'>): OwnOrigin {
  if (hasPublicUrl) return () => publicUrl
  return ({ host, protocol }) => {
    const origin = `${protocol}://${host}`
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(origin)) return publicUrl
    const { hostname, origin: own } = new URL(origin)
    return isPrivateName(hostname) ? own : publicUrl
  }
}

/** A name in lower case that no stranger can point at this server. */
export function isPrivateName(hostname: string): boolean {
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isAddress || !hostname.includes('.') || privateSuffix.test(hostname)
}
