import {
  checkIslandDomain,
  claimIslandDomain,
  getIslandDomain,
  proofLabel,
  removeIslandDomain,
  type IslandDomain,
} from '@astropelago/contract/island-domain'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { DomainError } from '../../../domain-error.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { isoTime } from '../../../iso-time.ts'
import { domainOrigin } from '../../../relay-address.ts'
import { ReferenceViolation } from '../../../storage/storage-error.ts'
import type { RelayBase } from '../relay-base.ts'
import { applyCheck, makeDomainCode } from './check-domain.ts'
import type { DnsRecords } from './dns-records.ts'
import { readDomainName } from './domain-name.ts'
import type { DomainClaim, DomainsStore } from './domains-store.ts'

const changesPerHour = 60
const checksPerHour = 60
/** For all islands. Each may take 10 s. */
const checksMax = 16
const maxCached = 10_000
const addressesMs = 5 * 60_000
const noAddressesMs = 10_000
const hintMs = 1000

type Seen = NonNullable<IslandDomain['seen']>

export async function domainRoutes(
  app: FastifyInstance,
  options: RelayBase & {
    readonly serve: Serve
    readonly store: DomainsStore
    readonly dns: DnsRecords
  },
) {
  const { serve, store, dns, clock, cluster, config, islands } = options
  const { publicUrl, relayDomain } = config
  const limitChanges = hourlyLimit(changesPerHour, cluster.size)
  const limitChecks = hourlyLimit(checksPerHour, cluster.size)
  const seen = new LRUCache<number, Seen & Pick<DomainClaim, 'code'>>(atMostEntries(maxCached))
  let checks = 0
  /** The wildcard record covers it, and it reveals no island's slug. */
  const target = `domains.${relayDomain ?? 'localhost'}`
  let addresses: Promise<readonly string[]> | undefined
  let addressesUntilMs = 0

  const readAddresses = async () => {
    const found = await dns.readAddresses(target)
    if (found.length === 0) addressesUntilMs = clock() + noAddressesMs
    return found
  }

  /** None while the name servers do not answer: nobody waits long for a hint. */
  const targetAddresses = async (): Promise<readonly string[]> => {
    if (addresses === undefined || addressesUntilMs <= clock()) {
      addressesUntilMs = clock() + addressesMs
      addresses = readAddresses()
    }
    return await Promise.race([addresses, wait(hintMs, [], { ref: false })])
  }

  const findHosted = async (hostKey: number, id: string) => {
    const island = await islands.findHosted(hostKey, id)
    if (island === undefined) throw new DomainError('not_found')
    return island
  }

  const present = async (islandKey: number): Promise<{ domain: IslandDomain | null }> => {
    const claim = await store.find(islandKey)
    if (claim === undefined) return { domain: null }
    const { domain: name, code, isInLogs } = claim
    const last = seen.get(islandKey)
    return {
      domain: {
        name,
        address: `${domainOrigin(name, publicUrl)}/`,
        isInLogs,
        status: statusOf(claim),
        records: {
          proof: { name: `${proofLabel}.${name}`, value: code },
          target: { name: target, addresses: [...(await targetAddresses())] },
        },
        seen: last?.code === code ? last : null,
      },
    }
  }

  serve(app, getIslandDomain, async ({ user, params }) => {
    const { key } = await findHosted(user.userKey, params.id)
    return { status: 200, body: await present(key) }
  })

  serve(app, claimIslandDomain, async ({ user, params, body, request }) => {
    refuseDemo({ user })
    const { key } = await findHosted(user.userKey, params.id)
    if (relayDomain === undefined) throw new DomainError('relay_off')
    limitChanges(user.userKey)
    const { isInLogs } = body
    const domain = readDomainName(body.name, config)
    const claim = { islandKey: key, domain, code: makeDomainCode(), isInLogs, atMs: clock() }
    await store.claim(claim).catch((error: unknown) => {
      if (error instanceof ReferenceViolation) throw new DomainError('not_found')
      throw error
    })
    logEvent(request, 'island_domain_claimed', params.id, domain)
    return { status: 200, body: await present(key) }
  })

  serve(app, checkIslandDomain, async ({ user, params, request }) => {
    const { key } = await findHosted(user.userKey, params.id)
    if (relayDomain === undefined) throw new DomainError('relay_off')
    limitChecks(user.userKey)
    const claim = await store.find(key)
    if (claim === undefined) throw new DomainError('not_found')
    if (checks >= checksMax) throw new DomainError('overloaded', { retryAfterS: 10 })
    const { domain, code } = claim
    checks += 1
    try {
      const [proof, records] = await Promise.all([
        dns.readProof(domain, code),
        dns.readTarget(domain, target),
      ])
      const atMs = clock()
      await applyCheck(store, claim, proof, atMs)
      seen.set(key, { code, at: isoTime(atMs), proof, ...records })
      logEvent(request, 'island_domain_checked', params.id, domain)
    } finally {
      checks -= 1
    }
    return { status: 200, body: await present(key) }
  })

  serve(app, removeIslandDomain, async ({ user, params, request }) => {
    const { key } = await findHosted(user.userKey, params.id)
    limitChanges(user.userKey)
    await store.remove(key)
    logEvent(request, 'island_domain_removed', params.id)
    return { status: 204 }
  })
}

export function statusOf({ provenMs, lost }: DomainClaim): IslandDomain['status'] {
  if (provenMs !== null) return { state: 'proven', since: isoTime(provenMs) }
  if (lost === null) return { state: 'unproven' }
  return { state: 'lost', since: isoTime(lost.atMs), why: lost.reason }
}

function logEvent(
  request: FastifyRequest,
  event: 'island_domain_claimed' | 'island_domain_checked' | 'island_domain_removed',
  island: string,
  domain?: string,
): void {
  request.log.info({ event, island, domain, address: request.ip }, 'relay event')
}
