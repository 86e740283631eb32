import { sql } from 'kysely'
import { lockRows, lockTotal } from '../../storage/locks.ts'
import { countDeleted, countRows } from '../../storage/count-rows.ts'
import type { RowOf } from '../../storage/schema.ts'
import { TotalReached, UniqueViolation } from '../../storage/storage-error.ts'
import type { Recording } from '../../storage/change-log.ts'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { NewReportRecord, ReportLimits, ReportRecord, ReportsStore } from './reports-store.ts'

const reportsShown = 5

export function sqlReportsStore({ db, changes }: RecordingStorage): ReportsStore {
  const countOpenCases = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select distinct kind, subject_id from reports where outcome is null
      ) as cases`.execute(db)
    return rows[0]?.count ?? 0
  }

  return {
    insert: async (report, limits) => {
      try {
        return await changes.write((transaction, record) =>
          insert({ transaction, record }, report, limits),
        )
      } catch (error) {
        if (error instanceof UniqueViolation) return 'already_open'
        throw error
      }
    },

    listCases: async ({ state, limit, after }) => {
      const isOfState = state === 'open' ? sql`outcome is null` : sql`outcome is not null`
      // Open cases have no time of settling, so their keys decide.
      const isAfter =
        after === undefined
          ? sql`true`
          : sql`(coalesce(settled_ms, 0), max(key)) <
              (select coalesce(settled_ms, 0), key from reports where id = ${after})`
      const { rows } = await sql<CaseRow>`
        with cases as (
          select kind, subject_id, outcome, settled_ms, count(*) as count, max(key) as last_key
          from reports where ${isOfState}
          group by kind, subject_id, outcome, settled_ms
          having ${isAfter}
          order by coalesce(settled_ms, 0) desc, last_key desc
          limit ${limit}
        ), numbered as (
          select reports.*, cases.count, cases.last_key, users.username as reporter,
            row_number() over (partition by cases.last_key order by reports.key desc) as place
          from cases join reports
            on reports.kind = cases.kind and reports.subject_id = cases.subject_id
            and coalesce(reports.outcome, '') = coalesce(cases.outcome, '')
            and coalesce(reports.settled_ms, 0) = coalesce(cases.settled_ms, 0)
          left join users on users.key = reports.reporter_key
        )
        select * from numbered where place <= ${reportsShown}
        order by coalesce(settled_ms, 0) desc, last_key desc, place`.execute(db)
      return casesOf(rows)
    },

    countOpenCases,

    // A lock until the commit keeps inserts in order, so no lower key appears later.
    readNew: (after, limit) =>
      db
        .selectFrom('reports')
        .select(['key as position', 'created_ms as atMs'])
        .where('key', '>', after)
        .orderBy('key')
        .limit(limit)
        .execute(),

    countOpen: async (sinceMs) => {
      const [open, subjectCount] = await Promise.all([
        db
          .selectFrom('reports')
          .select((select) => [
            'kind',
            select.fn.countAll<number>().as('reports'),
            select.fn.count<number>('subject_id').distinct().as('subjects'),
          ])
          .where('outcome', 'is', null)
          .where('created_ms', '>=', sinceMs)
          .groupBy('kind')
          .orderBy('kind')
          .execute(),
        countOpenCases(),
      ])
      return {
        newCount: open.reduce((sum, { reports }) => sum + reports, 0),
        newSubjects: open.map(({ kind, subjects }) => ({ kind, count: subjects })),
        subjectCount,
      }
    },

    settle: ({ kind, id }, outcome, atMs) =>
      changes.write(async (transaction, record) => {
        const settled = await transaction
          .updateTable('reports')
          .set({ outcome, settled_ms: atMs })
          .where('kind', '=', kind)
          .where('subject_id', '=', id)
          .where('outcome', 'is', null)
          .returning('key')
          .execute()
        const keys = settled.map(({ key }) => key)
        record('reports', keys)
        return keys.length
      }),

    listOf: async (reporterKey) => {
      const rows = await db
        .selectFrom('reports')
        .innerJoin('users', 'users.key', 'reports.reporter_key')
        .selectAll('reports')
        .select('users.username as reporter')
        .where('reporter_key', '=', reporterKey)
        .orderBy('reports.key')
        .execute()
      return rows.map(toReport)
    },

    deleteSettled: (untilMs, limit) => {
      const settled = db.selectFrom('reports').select('key').where('settled_ms', '<=', untilMs)
      const oldest = settled.orderBy('settled_ms').limit(limit)
      return countDeleted(db.deleteFrom('reports').where('key', 'in', oldest))
    },
  }
}

async function insert(
  { transaction, record }: Recording,
  { id, subject, reporterKey, reason, text, seen, createdMs }: NewReportRecord,
  limits: ReportLimits,
): Promise<'inserted' | 'limit_reached'> {
  await lockRows(transaction, 'users', [reporterKey])
  const reports = transaction.selectFrom('reports')
  const sent = reports
    .where('reporter_key', '=', reporterKey)
    .where('created_ms', '>', limits.sinceMs)
  if ((await countRows(sent)) >= limits.perReporter) return 'limit_reached'
  await lockTotal(transaction, 'reports')
  const openCount = await countRows(reports.where('outcome', 'is', null))
  if (openCount >= limits.open) throw new TotalReached(`${openCount} reports are open`)
  const { key } = await transaction
    .insertInto('reports')
    .values({
      id,
      kind: subject.kind,
      subject_id: subject.id,
      reporter_key: reporterKey,
      reason,
      text,
      seen_name: seen.name,
      seen_link: seen.link,
      seen_author: seen.author,
      created_ms: createdMs,
      outcome: null,
      settled_ms: null,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  record('reports', [key])
  return 'inserted'
}

interface ReportRow extends RowOf<'reports'> {
  readonly reporter: string | null
}

interface CaseRow extends ReportRow {
  readonly count: number
  readonly last_key: number
}

function casesOf(rows: readonly CaseRow[]) {
  const byCase = Map.groupBy(rows, ({ last_key }) => last_key)
  return Array.from(byCase.values(), ([newest, ...older]) => {
    // Groups are never empty.
    if (newest === undefined) throw new Error('a case without a report')
    const { id, outcome, count, settled_ms: atMs } = newest
    return {
      id,
      subject: { kind: newest.kind, id: newest.subject_id },
      seen: { name: newest.seen_name, link: newest.seen_link, author: newest.seen_author },
      count,
      reports: [newest, ...older].map(toReport),
      settled: outcome === null || atMs === null ? null : { outcome, atMs },
    }
  })
}

function toReport(row: ReportRow): ReportRecord {
  const { kind, subject_id: id, reason, text, reporter, outcome, created_ms: createdMs } = row
  return { subject: { kind, id }, reason, text, reporter, createdMs, outcome }
}
