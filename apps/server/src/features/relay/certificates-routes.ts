import { dayMs } from '../../history/time-spans.ts'
import { loungeSlug } from '@astropelago/contract/pages'
import { tlsAllowed } from '@astropelago/contract/relay'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { addressSet, isAmong } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { RelayBase } from './relay-base.ts'
import type { ServedIsland } from './served-islands.ts'

/** When a host's certificates for the day are used up, the proxy waits this long. */
const retryAfterS = 3600
/** How long an answer counts, since each handshake makes the proxy ask again. A slug keeps its certificate. */
const answerMs = 60_000
const answersMax = 10_000

interface CertificatesOptions extends RelayBase, Pick<IslandsFeature, 'claimCertificate'> {
  readonly claimDomainCertificate: (
    domain: string,
    island: Pick<ServedIsland, 'hostKey'>,
  ) => Promise<boolean>
}

export async function certificatesRoutes(
  app: FastifyInstance,
  { serve, ...options }: CertificatesOptions & { readonly serve: Serve },
) {
  const mayHaveCertificate = certificatePolicy(options)
  const mayAsk = proxyThatAsks(options.config)
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

/**
 * Certificates appear in public logs, so an island that not everybody may know of gets none. Authorities
 * limit how many they issue, so the islands of one user get only a few a day.
 */
function certificatePolicy(options: CertificatesOptions) {
  const { config, islands, clock, claimCertificate, claimDomainCertificate } = options
  const { relayDomain } = config
  const siteName = new URL(config.publicUrl).hostname
  const answers = new Map<string, { readonly isAllowed: boolean; readonly untilMs: number }>()

  /** Asks for a name's certificate, unless the last answer still counts. */
  const claimOnce = async (
    name: string,
    allowedMs: number,
    claim: (nowMs: number) => Promise<boolean>,
  ): Promise<'allowed' | 'too-many'> => {
    const nowMs = clock()
    let answer = answers.get(name)
    if (answer === undefined || answer.untilMs <= nowMs) {
      const isAllowed = await claim(nowMs)
      answer = { isAllowed, untilMs: nowMs + (isAllowed ? allowedMs : answerMs) }
      if (answers.size >= answersMax) answers.clear()
      answers.set(name, answer)
    }
    return answer.isAllowed ? 'allowed' : 'too-many'
  }

  return async (asked: string): Promise<'allowed' | 'unknown' | 'too-many'> => {
    const domain = asked.toLowerCase()
    // Caddy also asks for the site's name if another block of its file takes all names.
    if (domain === siteName) return 'allowed'
    const own = islands.findByDomain(domain)
    if (own !== undefined) {
      if (own.isStopped || own.domain?.isInLogs !== true) return 'unknown'
      return await claimOnce(domain, answerMs, () => claimDomainCertificate(domain, own))
    }
    const [slug = '', ...parents] = domain.split('.')
    if (relayDomain === undefined || parents.join('.') !== relayDomain) return 'unknown'
    const island = islands.findBySlug(slug)
    // The lounge's page is public, and this name redirects to it.
    if (slug === loungeSlug && island === undefined) return 'allowed'
    if (island === undefined || !island.mayAnybodyKnow || island.isStopped) return 'unknown'
    return await claimOnce(slug, Infinity, (atMs) =>
      claimCertificate(slug, { atMs, sinceMs: atMs - dayMs }),
    )
  }
}

const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

function proxyThatAsks({ publicUrl, trustProxy }: RelayBase['config']) {
  const proxies = addressSet([...trustProxy, '127.0.0.0/8', '::1'])
  const site = new URL(publicUrl)
  return ({ socket, headers }: FastifyRequest): boolean => {
    const isProxy = isAmong(proxies, socket.remoteAddress ?? '')
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
