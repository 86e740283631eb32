import { sql } from 'kysely'
import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { lockRows, lockTotal } from '../../../storage/locks.ts'
import type { RowOf } from '../../../storage/schema.ts'
import type { DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import type { ClaimId, DomainClaim, DomainsStore, LossReason } from './domains-store.ts'

const unproven = { proven_ms: null, checked_ms: null, missing_ms: null, unanswered_ms: null }

export function sqlDomainsStore({ db, changes }: RecordingStorage): DomainsStore {
  return {
    find: async (islandKey) => {
      const rows = db.selectFrom('relay_domains').selectAll().where('island_key', '=', islandKey)
      const row = await rows.executeTakeFirst()
      return row && toClaim(row)
    },

    listOf: async (hostKey) => {
      const rows = await db
        .selectFrom('relay_domains')
        .innerJoin('islands', 'islands.key', 'relay_domains.island_key')
        .selectAll('relay_domains')
        .select('islands.id')
        .where('islands.user_key', '=', hostKey)
        .orderBy('islands.key')
        .execute()
      return rows.map((row) => Object.assign(toClaim(row), { islandId: row.id }))
    },

    claim: ({ islandKey, domain, code, isInLogs, atMs }) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'islands', [islandKey])
        await endClaim(transaction, islandKey, domain)
        const is_in_logs = Number(isInLogs)
        await transaction
          .insertInto('relay_domains')
          .values({ island_key: islandKey, domain, code, is_in_logs, claimed_ms: atMs })
          .onConflict((conflict) => conflict.column('island_key').doUpdateSet({ is_in_logs }))
          .execute()
        record('islands', [islandKey])
      }),

    remove: (islandKey) =>
      changes.write(async (transaction, record) => {
        if (await endClaim(transaction, islandKey)) record('islands', [islandKey])
      }),

    prove: (claim, { atMs, otherCode }) =>
      changes.write(async (transaction, record) => {
        // Of two proofs at a time, one waits here for the other's commit.
        await lockTotal(transaction, 'relay_domains')
        const { numUpdatedRows } = await transaction
          .updateTable('relay_domains')
          .set({ lost_ms: null, lost_reason: null, alerted_ms: null })
          .where(claimed(claim))
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return
        const others = await transaction
          .selectFrom('relay_domains')
          .select('island_key')
          .where('domain', '=', claim.domain)
          .where('island_key', '<>', claim.islandKey)
          .where('proven_ms', 'is not', null)
          .execute()
        for (const { island_key: islandKey } of others) {
          await endProof(
            transaction,
            { islandKey, domain: claim.domain },
            { atMs, reason: 'taken' },
          )
          // Its record may still be there. Only a new one could win the domain back.
          await transaction
            .updateTable('relay_domains')
            .set({ code: otherCode() })
            .where('island_key', '=', islandKey)
            .execute()
        }
        await transaction
          .updateTable('relay_domains')
          .set({ checked_ms: atMs, missing_ms: null, unanswered_ms: null })
          .set({ proven_ms: sql<number>`coalesce(proven_ms, ${atMs})` })
          .where(claimed(claim))
          .execute()
        record('islands', [claim.islandKey, ...others.map(({ island_key }) => island_key)])
      }),

    recordCheck: async (claim, { atMs, missingMs, unansweredMs }) => {
      await db
        .updateTable('relay_domains')
        .set({ checked_ms: atMs, missing_ms: missingMs, unanswered_ms: unansweredMs })
        .where(claimed(claim))
        .where('proven_ms', 'is not', null)
        .execute()
    },

    lose: (claim, loss) =>
      changes.write(async (transaction, record) => {
        const held = await transaction
          .selectFrom('relay_domains')
          .select('island_key')
          .where(claimed(claim))
          .where('proven_ms', 'is not', null)
          .executeTakeFirst()
        if (held === undefined) return
        await endProof(transaction, claim, loss)
        record('islands', [claim.islandKey])
      }),

    listDue: async (untilMs, troubledMs, limit) => {
      const rows = await db
        .selectFrom('relay_domains')
        .selectAll()
        .where('proven_ms', 'is not', null)
        .where(
          sql<boolean>`(checked_ms <= ${untilMs} or checked_ms <= ${troubledMs}
            and (missing_ms is not null or unanswered_ms is not null))`,
        )
        .orderBy('checked_ms')
        .limit(limit)
        .execute()
      return rows.map(toClaim)
    },

    listLost: async (limit, afterIslandKey) => {
      const rows = await db
        .selectFrom('relay_domains')
        .innerJoin('islands', 'islands.key', 'relay_domains.island_key')
        .select(['relay_domains.island_key as islandKey', 'domain', 'lost_reason as reason'])
        .select(['islands.user_key as hostKey', 'islands.name as island', 'islands.slug'])
        .where('lost_ms', 'is not', null)
        .where('alerted_ms', 'is', null)
        .where('relay_domains.island_key', '>', afterIslandKey)
        .orderBy('relay_domains.island_key')
        .limit(limit)
        .execute()
      return rows.map((row) => Object.assign(row, { reason: row.reason ?? 'missing' }))
    },

    recordAlert: async (islandKey, atMs) => {
      await db
        .updateTable('relay_domains')
        .set({ alerted_ms: atMs })
        .where('island_key', '=', islandKey)
        .where('lost_ms', 'is not', null)
        .execute()
    },

    claimCertificate: (domain, { hostKey, atMs, sinceMs, perHost, max }) =>
      db.transaction().execute(async (transaction) => {
        const all = transaction.selectFrom('relay_domain_certificates')
        const isHeld = async () => (await countRows(all.where('domain', '=', domain))) > 0
        if (await isHeld()) return true
        await lockTotal(transaction, 'relay_domains')
        if (await isHeld()) return true
        const ofHost = all.where('user_key', '=', hostKey).where('certified_ms', '>', sinceMs)
        if ((await countRows(ofHost)) >= perHost || (await countRows(all)) >= max) return false
        await transaction
          .insertInto('relay_domain_certificates')
          .values({ domain, user_key: hostKey, certified_ms: atMs })
          .execute()
        return true
      }),

    deleteCertificates: (untilMs) =>
      countDeleted(
        db
          .deleteFrom('relay_domain_certificates')
          .where('certified_ms', '<=', untilMs)
          .where(
            sql<boolean>`domain not in (
              select domain from relay_domains where proven_ms is not null)`,
          ),
      ),
  }
}

function claimed({ islandKey, domain, code }: ClaimId) {
  return sql<boolean>`island_key = ${islandKey} and domain = ${domain} and code = ${code}`
}

/** What lets visitors in there ends with it. */
async function endProof(
  transaction: DatabaseTransaction,
  { islandKey, domain }: Pick<ClaimId, 'islandKey' | 'domain'>,
  { atMs, reason }: { readonly atMs: number; readonly reason: LossReason },
): Promise<void> {
  await deleteGrants(transaction, islandKey, domain)
  await transaction
    .updateTable('relay_domains')
    .set({ ...unproven, lost_ms: atMs, lost_reason: reason, alerted_ms: null })
    .where('island_key', '=', islandKey)
    .execute()
}

async function endClaim(
  transaction: DatabaseTransaction,
  islandKey: number,
  exceptFor = '',
): Promise<boolean> {
  const ended = await transaction
    .deleteFrom('relay_domains')
    .where('island_key', '=', islandKey)
    .where('domain', '<>', exceptFor)
    .returning('domain')
    .executeTakeFirst()
  if (ended === undefined) return false
  await deleteGrants(transaction, islandKey, ended.domain)
  return true
}

async function deleteGrants(
  transaction: DatabaseTransaction,
  islandKey: number,
  domain: string,
): Promise<void> {
  for (const table of ['relay_grants', 'relay_tickets'] as const) {
    await transaction
      .deleteFrom(table)
      .where('island_key', '=', islandKey)
      .where('host_name', '=', domain)
      .execute()
  }
}

function toClaim(row: RowOf<'relay_domains'>): DomainClaim {
  const { lost_ms: atMs, lost_reason: reason } = row
  return {
    islandKey: row.island_key,
    domain: row.domain,
    code: row.code,
    isInLogs: row.is_in_logs === 1,
    provenMs: row.proven_ms,
    missingMs: row.missing_ms,
    unansweredMs: row.unanswered_ms,
    lost: atMs === null || reason === null ? null : { atMs, reason },
  }
}
