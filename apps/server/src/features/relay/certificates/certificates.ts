import { loungeSlug } from '@astropelago/contract/pages'
import type { Clock } from '../../../clock.ts'
import type { RelayedIslands } from '../relayed-islands.ts'

const dayMs = 86_400_000
/** Whoever shakes hands with a name that may have none makes the proxy ask each time. */
const refusedMs = 60_000
const answersMax = 10_000

/** Whether a proxy may get a certificate for an island's slug, which is noted the first time. */
export type ClaimCertificate = (
  slug: string,
  limit: { readonly atMs: number; readonly sinceMs: number },
) => Promise<boolean>

interface CertificatesOptions {
  /** Undefined: no relay. */
  readonly relayDomain: string | undefined
  readonly islands: Pick<RelayedIslands, 'findBySlug'>
  readonly clock: Clock
  readonly claim: ClaimCertificate
}

/** Why a proxy may not get a certificate for a host. */
type Verdict = 'allowed' | 'unknown' | 'too-many'

export type MayHaveCertificate = (domain: string) => Promise<Verdict>

/**
 * For which hosts a proxy may get certificates by itself. They stand in public logs, so an island that not
 * everybody may know of has none; and authorities give so many, so a host has few of them a day.
 */
export function certificates(options: CertificatesOptions): MayHaveCertificate {
  const { relayDomain, islands, clock, claim } = options
  /** Until when somebody was refused; one who was not stays so. */
  const answers = new Map<string, number>()
  return async (domain) => {
    const [slug = '', ...parents] = domain.toLowerCase().split('.')
    if (relayDomain === undefined || parents.join('.') !== relayDomain) return 'unknown'
    const island = islands.findBySlug(slug)
    // Its page is for everybody, and its name leads there.
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
