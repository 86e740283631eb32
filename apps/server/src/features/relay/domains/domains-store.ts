export type LossReason = 'missing' | 'unanswered' | 'taken'

export interface DomainClaim {
  readonly islandKey: number
  readonly domain: string
  /** What the TXT record must say. */
  readonly code: string
  readonly isInLogs: boolean
  /** Null while no proof holds. */
  readonly provenMs: number | null
  readonly missingMs: number | null
  readonly unansweredMs: number | null
  readonly lost: { readonly atMs: number; readonly reason: LossReason } | null
}

export interface LostDomain {
  readonly islandKey: number
  readonly domain: string
  readonly reason: LossReason
  readonly hostKey: number | null
  readonly island: string
  readonly slug: string
}

/** Names one claim, and is void once the claim has another domain or code. */
export type ClaimId = Pick<DomainClaim, 'islandKey' | 'domain' | 'code'>

export interface DomainsStore {
  readonly find: (islandKey: number) => Promise<DomainClaim | undefined>
  readonly listOf: (
    hostKey: number,
  ) => Promise<readonly (DomainClaim & { readonly islandId: string })[]>
  /** The same domain keeps its code and its proof. Another one takes its place. */
  readonly claim: (
    claim: ClaimId & Pick<DomainClaim, 'isInLogs'> & { readonly atMs: number },
  ) => Promise<void>
  readonly remove: (islandKey: number) => Promise<void>
  /** Ends the proof that any other island had, whose claim gets `otherCode`. */
  readonly prove: (
    claim: ClaimId,
    proof: { readonly atMs: number; readonly otherCode: () => string },
  ) => Promise<void>
  /** Changes nothing unless the proof holds. */
  readonly recordCheck: (
    claim: ClaimId,
    check: Pick<DomainClaim, 'missingMs' | 'unansweredMs'> & { readonly atMs: number },
  ) => Promise<void>
  readonly lose: (
    claim: ClaimId,
    loss: { readonly atMs: number; readonly reason: LossReason },
  ) => Promise<void>
  /** Proofs that hold and were last checked until then, or until `troubledMs` if that check failed. */
  readonly listDue: (
    untilMs: number,
    troubledMs: number,
    limit: number,
  ) => Promise<readonly DomainClaim[]>
  /** Those whose hosts have no message yet, by the islands' keys. */
  readonly listLost: (limit: number, afterIslandKey: number) => Promise<readonly LostDomain[]>
  readonly recordAlert: (islandKey: number, atMs: number) => Promise<void>
  /** Whether a proxy may get a certificate. Domains that had one may always, others within limits. */
  readonly claimCertificate: (
    domain: string,
    limit: {
      readonly hostKey: number | null
      readonly atMs: number
      readonly sinceMs: number
      readonly perHost: number
      readonly max: number
    },
  ) => Promise<boolean>
  /** Of domains without a proof, that are older. */
  readonly deleteCertificates: (untilMs: number) => Promise<number>
}
