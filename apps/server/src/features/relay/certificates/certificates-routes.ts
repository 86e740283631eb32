import { tlsAllowed } from '@astropelago/contract/relay'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import { addressSet, isAmong } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { MayHaveCertificate } from './certificates.ts'

/** When a host's certificates for the day are used up, the proxy waits this long. */
const retryAfterS = 3600

interface CertificatesRoutesOptions {
  readonly serve: Serve
  readonly config: Pick<Config, 'publicUrl' | 'trustProxy'>
  readonly mayHaveCertificate: MayHaveCertificate
}

export async function certificatesRoutes(
  app: FastifyInstance,
  { serve, config, mayHaveCertificate }: CertificatesRoutesOptions,
) {
  const mayAsk = proxyThatAsks(config)
  serve(
    app,
    tlsAllowed,
    async ({ query: { domain }, request }) => {
      const isAsked = typeof domain === 'string' && mayAsk(request)
      const verdict = isAsked ? await mayHaveCertificate(domain) : 'unknown'
      if (verdict === 'too-many') throw new DomainError('rate_limited', { retryAfterS })
      if (verdict === 'unknown') throw new DomainError('not_found')
      return { status: 200 }
    },
    // Strangers decide how often the proxy asks, and its health checks come from the same address.
    { isUncounted: mayAsk, isQuiet: true },
  )
}

/** Headers that a proxy adds to requests that it passes on. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** Tells a proxy's own requests from those that it passes on, which come from its address too. */
function proxyThatAsks({ publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>) {
  const proxies = addressSet([...trustProxy, '127.0.0.0/8', '::1'])
  const site = new URL(publicUrl)
  return ({ socket, headers }: FastifyRequest): boolean => {
    const { remoteAddress = '' } = socket
    const isProxy = isAmong(proxies, remoteAddress)
    // With https, a request that names the site's host was passed on by a proxy.
    const isForSite = site.protocol === 'https:' && hostOf(headers.host) === site.host
    return isProxy && !isForSite && !forwardedHeaders.some((name) => name in headers)
  }
}

/** Normalizes a host as in PUBLIC_URL: lower case, no trailing dot, no default https port. */
function hostOf(header = ''): string | undefined {
  const address = `https://${header.replace(/\.(?=:|$)/, '')}`
  return URL.canParse(address) ? new URL(address).host : undefined
}
