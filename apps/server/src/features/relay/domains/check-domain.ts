import type { SeenRecord } from '@astropelago/contract/island-domain'
import { randomBytes } from 'node:crypto'
import { dayMs } from '../../../history/time-spans.ts'
import type { DomainClaim, DomainsStore } from './domains-store.ts'

const hourMs = 3_600_000
/** Between two answers that the record is not there, which together end a proof. */
export const missingAgainMs = hourMs
/** How long name servers may stay silent. */
const unansweredMaxMs = 3 * dayMs

export function makeDomainCode(): string {
  return randomBytes(16).toString('hex')
}

/** Stores what a check found at the record that proves the claim. */
export async function applyCheck(
  store: Pick<DomainsStore, 'prove' | 'recordCheck' | 'lose'>,
  claim: DomainClaim,
  seen: SeenRecord,
  atMs: number,
): Promise<void> {
  if (claim.provenMs === null) {
    if (seen === 'found') await store.prove(claim, { atMs, otherCode: makeDomainCode })
    return
  }
  if (seen === 'found') {
    await store.recordCheck(claim, { atMs, missingMs: null, unansweredMs: null })
    return
  }
  const isUnanswered = seen === 'unanswered'
  const missingMs = isUnanswered ? claim.missingMs : (claim.missingMs ?? atMs)
  const unansweredMs = isUnanswered ? (claim.unansweredMs ?? atMs) : null
  if (!isUnanswered && missingMs !== null && atMs - missingMs >= missingAgainMs) {
    await store.lose(claim, { atMs, reason: 'missing' })
  } else if (unansweredMs !== null && atMs - unansweredMs >= unansweredMaxMs) {
    await store.lose(claim, { atMs, reason: 'unanswered' })
  } else {
    await store.recordCheck(claim, { atMs, missingMs, unansweredMs })
  }
}
