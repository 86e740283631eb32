import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isPrivateName } from './private-name.ts'

export type OwnOrigin = (request: Pick<FastifyRequest, 'host' | 'protocol'>) => string

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
