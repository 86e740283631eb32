import { certifiedDomainsMax, certifiedDomainsPerDay } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { dayMs } from '../../../history/time-spans.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { counted, ownList } from '../../../own-data.ts'
import type { AlertsFeature } from '../../alerts/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import type { RelayBase } from '../relay-base.ts'
import type { ServedIsland } from '../served-islands.ts'
import { applyCheck, missingAgainMs } from './check-domain.ts'
import { createDnsRecords, type DnsRecords } from './dns-records.ts'
import { domainRoutes, statusOf } from './domain-routes.ts'
import type { DomainsStore, LostDomain } from './domains-store.ts'
import { sqlDomainsStore } from './sql-domains-store.ts'

const sweepMs = 60_000
const dueInSweep = 200
const checksAtOnce = 32

type SendAlert = AlertsFeature['send']

/** Domains of islands' own: claims, their proofs, and what follows from them. */
export function domainsFeature(
  relay: RelayBase,
  { sendAlert, nameIsland }: { readonly sendAlert: SendAlert } & Pick<IslandsFeature, 'nameIsland'>,
) {
  const { storage, clock, schedule, config } = relay
  const store = sqlDomainsStore(storage)
  const dns = createDnsRecords(config.relayDnsServers)
  schedule.everyOnLeader(sweepMs, 'domains of islands were not checked', (signal) =>
    sweepDomains({ store, dns, sendAlert, nowMs: clock(), signal }),
  )
  return {
    ownData: ownList({
      kind: 'islandDomains',
      text: (count) => counted(count, 'domain of an island', 'domains of islands'),
      list: async (userKey) => {
        const claims = await store.listOf(userKey)
        return await Promise.all(
          claims.map(async ({ islandId, ...claim }) => ({
            island: await nameIsland(userKey, islandId),
            domain: claim.domain,
            isInLogs: claim.isInLogs,
            status: statusOf(claim),
          })),
        )
      },
    }),
    claimCertificate: (domain: string, { hostKey }: Pick<ServedIsland, 'hostKey'>) => {
      const atMs = clock()
      const limits = { perHost: certifiedDomainsPerDay, max: certifiedDomainsMax }
      return store.claimCertificate(domain, { hostKey, atMs, sinceMs: atMs - dayMs, ...limits })
    },
    routes: (app: FastifyInstance, serve: Serve) =>
      domainRoutes(app, { ...relay, serve, store, dns }),
  }
}

/** Checks each proof daily, and those in doubt hourly. Tells hosts which domains they lost. */
export async function sweepDomains({
  store,
  dns,
  sendAlert,
  nowMs,
  signal,
}: {
  readonly store: DomainsStore
  readonly dns: Pick<DnsRecords, 'readProof'>
  readonly sendAlert: SendAlert
  readonly nowMs: number
  readonly signal?: AbortSignal
}): Promise<void> {
  const due = await store.listDue(nowMs - dayMs, nowMs - missingAgainMs, dueInSweep)
  for (let at = 0; at < due.length; at += checksAtOnce) {
    if (signal?.aborted === true) return
    await Promise.all(
      due.slice(at, at + checksAtOnce).map(async (claim) => {
        await applyCheck(store, claim, await dns.readProof(claim.domain, claim.code), nowMs)
      }),
    )
  }
  await store.deleteCertificates(nowMs - dayMs)
  let after = 0
  for (;;) {
    // In pages, since messages may wait for the quiet hours of their hosts.
    const page = await store.listLost(dueInSweep, after)
    for (const lost of page) {
      const { hostKey, islandKey } = lost
      const isSent = hostKey === null || (await sendAlert(hostKey, lossMessage(lost)))
      if (isSent) await store.recordAlert(islandKey, nowMs)
      after = islandKey
    }
    if (page.length < dueInSweep) return
  }
}

const reasons: Readonly<Record<LostDomain['reason'], string>> = {
  missing: 'Its TXT record is no longer there.',
  unanswered: 'Its name servers gave no answer for three days.',
  taken: 'Another island has proved that it has this domain now.',
}

function lossMessage({ domain, island, slug, reason }: LostDomain) {
  return {
    title: `${domain} no longer leads to ${island}`,
    lines: [reasons[reason], 'Visitors still enter at the address of this site.'],
    path: `/islands/${slug}/settings`,
  }
}
