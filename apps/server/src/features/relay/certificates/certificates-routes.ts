import { tlsAllowed } from '@astropelago/contract/relay'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import { addressSet, isAmong } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { MayHaveCertificate } from './certificates.ts'

/** A proxy that was refused for a day's share may as well wait so long. */
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
    // Strangers decide how often it asks, and its health checks come from the same address.
    { isUncounted: mayAsk, isQuiet: true },
  )
}

/** What a proxy says of a request that it passes on for somebody else. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** Tells a proxy that asks for itself from all that it passes on, which comes from its address too. */
function proxyThatAsks({ publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>) {
  const proxies = addressSet([...trustProxy, '127.0.0.0/8', '::1'])
  const site = new URL(publicUrl)
  return ({ socket, headers }: FastifyRequest): boolean => {
    const { remoteAddress = '' } = socket
    const isProxy = isAmong(proxies, remoteAddress)
    // By https nobody but a proxy is asked for the site.
    const isForSite = site.protocol === 'https:' && hostOf(headers.host) === site.host
    return isProxy && !isForSite && !forwardedHeaders.some((name) => name in headers)
  }
}

/** As PUBLIC_URL has it: in lower case, without the dot that may end a name, nor the port that https has anyway. */
function hostOf(header = ''): string | undefined {
  const address = `https://${header.replace(/\.(?=:|$)/, '')}`
  return URL.canParse(address) ? new URL(address).host : undefined
}
