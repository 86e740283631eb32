import { loungeSlug } from '@astropelago/contract/pages'
import type { Clock } from '../../../clock.ts'
import type { RelayedIslands } from '../relayed-islands.ts'

const dayMs = 86_400_000
/**
 * Each handshake with a name that may have no certificate makes the proxy ask, so refusals are cached this
 * long.
 */
const refusedMs = 60_000
const answersMax = 10_000

/** Whether a proxy may get a certificate for an island's slug. The first time is recorded. */
export type ClaimCertificate = (
  slug: string,
  limit: { readonly atMs: number; readonly sinceMs: number },
) => Promise<boolean>

interface CertificatesOptions {
  /** Undefined if there is no relay. */
  readonly relayDomain: string | undefined
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly clock: Clock
  readonly claim: ClaimCertificate
}

/** Whether a proxy may get a certificate for a host, and if not, why. */
type Verdict = 'allowed' | 'unknown' | 'too-many'

export type MayHaveCertificate = (domain: string) => Promise<Verdict>

/**
 * Decides for which hosts a proxy may get certificates on its own. Certificates appear in public logs, so an
 * island that not everybody may know of gets none. Authorities limit how many they issue, so the islands of
 * one user get only a few a day.
 */
export function certificates(options: CertificatesOptions): MayHaveCertificate {
  const { relayDomain, islands, clock, claim } = options
  /** Until when a slug is refused; 0 if it is allowed, which never changes. */
  const answers = new Map<string, number>()
  return async (domain) => {
    const [slug = '', ...parents] = domain.toLowerCase().split('.')
    if (relayDomain === undefined || parents.join('.') !== relayDomain) return 'unknown'
    const island = islands.findBySlug(slug)
    // The lounge's page is public, and this name redirects to it.
    if (slug === loungeSlug && island === undefined) return 'allowed'
    if (island === undefined || !island.mayAnybodyKnow || island.isStopped) return 'unknown'
    const now = clock()
    const refusedUntil = answers.get(slug)
    if (refusedUntil === 0) return 'allowed'
    if (refusedUntil !== undefined && now < refusedUntil) return 'too-many'
    const isAllowed = await claim(slug, { atMs: now, sinceMs: now - dayMs })
    if (answers.size >= answersMax) answers.clear()
    answers.set(slug, isAllowed ? 0 : now + refusedMs)
    return isAllowed ? 'allowed' : 'too-many'
  }
}
