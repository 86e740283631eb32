import {
  AlertRules,
  defaultAlertRules,
  sameRules,
  SubjectRules,
} from '@astropelago/contract/alert-rules'
import { alertIslandsPerUser } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import * as v from 'valibot'
import { countRows } from '../../storage/count-rows.ts'
import { lockRows } from '../../storage/locks.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { AlertRulesStore, DifferingRules } from './alert-rules-store.ts'
import { listUsersOfIsland } from './sql-alerts-store.ts'
import { subjectName, type MaintenanceRecord, type Subject } from './user-rules.ts'

const Rules = v.pipe(v.string(), v.parseJson(), AlertRules)
const RulesOfSubject = v.pipe(v.string(), v.parseJson(), SubjectRules)
const Ids = v.nullable(v.array(v.string()))
const Scope = v.pipe(
  v.string(),
  v.parseJson(),
  // Maintenance that was planned before there were checks names none.
  v.object({ devices: Ids, islands: Ids, checks: v.optional(Ids, null) }),
)
const finishedPerUser = 50
/** More than there can be: SQLite takes no offset without a limit. */
const overDeleted = 1000

export function sqlAlertRulesStore(db: Database): AlertRulesStore {
  const changed = <Result>(
    userKey: number,
    nowMs: number,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) =>
    db.transaction().execute(async (transaction) => {
      await lockRows(transaction, 'users', [userKey])
      const result = await work(transaction)
      await transaction
        .updateTable('alert_turns')
        .set({ due_ms: nowMs })
        .where('user_key', '=', userKey)
        .execute()
      return result
    })

  return {
    rulesOf: async (userKeys) => {
      const found = new Map<number, ReturnType<typeof noRules>>()
      if (userKeys.length === 0) return found
      const ofUser = (userKey: number) => {
        const user = found.get(userKey) ?? noRules()
        found.set(userKey, user)
        return user
      }
      const [ofUsers, ofSubjects, maintenance] = await Promise.all([
        db.selectFrom('alert_rules').selectAll().where('user_key', 'in', userKeys).execute(),
        db
          .selectFrom('alert_subject_rules')
          .selectAll()
          .where('user_key', 'in', userKeys)
          .execute(),
        db
          .selectFrom('alert_maintenance')
          .selectAll()
          .where('user_key', 'in', userKeys)
          .orderBy('from_ms')
          .orderBy('id')
          .execute(),
      ])
      for (const row of ofUsers) ofUser(row.user_key).rules = v.parse(Rules, row.rules)
      for (const { user_key, subject: of, subject_key: key, rules } of ofSubjects) {
        ofUser(user_key).differing.set(subjectName({ of, key }), v.parse(RulesOfSubject, rules))
      }
      for (const { user_key, from_ms: fromMs, until_ms: toMs, scope, ...row } of maintenance) {
        ofUser(user_key).maintenance.push({ ...row, fromMs, toMs, ...v.parse(Scope, scope) })
      }
      return found
    },

    changeRules: (userKey, change, nowMs) =>
      changed(userKey, nowMs, async (transaction) => {
        const before = (await findRules(transaction, userKey)) ?? defaultAlertRules
        await writeRules(transaction, userKey, change(before))
      }),

    changeSubjectRules: (userKey, { of, key }, change, nowMs) =>
      changed(userKey, nowMs, async (transaction) => {
        const ofUser = transaction.selectFrom('alert_subject_rules').where('user_key', '=', userKey)
        const row = await ofUser
          .select('rules')
          .where('subject', '=', of)
          .where('subject_key', '=', key)
          .executeTakeFirst()
        const rules = change(row === undefined ? sameRules : v.parse(RulesOfSubject, row.rules))
        const isNew = row === undefined && differs(rules) && of === 'island'
        const islands = ofUser.where('subject', '=', 'island')
        if (isNew && (await countRows(islands)) >= alertIslandsPerUser) return false
        await replaceSubjectRules(transaction, userKey, { of, key, rules })
        return true
      }),

    listChoosers: (islandKey, page) =>
      listUsersOfIsland(db, 'alert_subject_rules', islandKey, page),

    listDiffering: async (userKey) => {
      const { rows } = await sql<
        Omit<DifferingRules, 'isOwn' | 'rules'> & {
          readonly ownerKey: number | null
          readonly rules: string
        }
      >`
        select subject as "of", subject_key as key, islands.slug,
          coalesce(devices.user_key, islands.user_key, checks.user_key) as "ownerKey",
          coalesce(devices.id, islands.id, checks.id) as id,
          coalesce(devices.label, islands.name, checks.name) as name, rules
        from alert_subject_rules
        left join devices on devices.key = device_key
        left join islands on islands.key = alert_subject_rules.island_key
        left join checks on checks.key = check_key
        where alert_subject_rules.user_key = ${userKey}
        order by subject, subject_key`.execute(db)
      return rows.map(({ ownerKey, rules, ...row }) =>
        Object.assign(row, { isOwn: ownerKey === userKey, rules: v.parse(RulesOfSubject, rules) }),
      )
    },

    findOwnChecks: async (userKey, ids) => {
      const rows = await db
        .selectFrom('checks')
        .select(['id', 'key'])
        .where('user_key', '=', userKey)
        .where('id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, key }) => [id, key]))
    },

    insertMaintenance: (userKey, { id, fromMs, toMs, note, ...named }, { nowMs, limit }) =>
      changed(userKey, nowMs, async (transaction) => {
        const ofUser = transaction.selectFrom('alert_maintenance').where('user_key', '=', userKey)
        if ((await countRows(ofUser.where('until_ms', '>', nowMs))) >= limit) return false
        const over = ofUser
          .select('id')
          .where('until_ms', '<=', nowMs)
          .orderBy('until_ms', 'desc')
          .limit(overDeleted)
          .offset(finishedPerUser)
        await transaction.deleteFrom('alert_maintenance').where('id', 'in', over).execute()
        const { devices, islands, checks } = named
        const scope = JSON.stringify({ devices, islands, checks })
        await transaction
          .insertInto('alert_maintenance')
          .values({ id, user_key: userKey, from_ms: fromMs, until_ms: toMs, scope, note })
          .execute()
        return true
      }),

    endMaintenance: (userKey, id, nowMs) =>
      changed(userKey, nowMs, async (transaction) => {
        const deleted = await transaction
          .deleteFrom('alert_maintenance')
          .where('user_key', '=', userKey)
          .where('id', '=', id)
          .where('from_ms', '>=', nowMs)
          .executeTakeFirst()
        const ended = await transaction
          .updateTable('alert_maintenance')
          .set({ until_ms: nowMs })
          .where('user_key', '=', userKey)
          .where('id', '=', id)
          .where('until_ms', '>', nowMs)
          .executeTakeFirst()
        return deleted.numDeletedRows + ended.numUpdatedRows > 0n
      }),

    deleteMaintenance: async (untilMs) => {
      await db.deleteFrom('alert_maintenance').where('until_ms', '<', untilMs).execute()
    },
  }
}

/** Removes a deleted channel from rules. If it was the only choice, all channels get the alerts. */
export async function forgetChannel(
  transaction: DatabaseTransaction,
  userKey: number,
  id: string,
): Promise<void> {
  const withoutIt = <R extends { readonly channels: readonly string[] | null }>(rules: R) => {
    const left = rules.channels?.filter((other) => other !== id) ?? []
    return { ...rules, channels: left.length === 0 ? null : left }
  }
  const ofUser = await findRules(transaction, userKey)
  if (ofUser?.channels?.includes(id) === true) {
    await writeRules(transaction, userKey, withoutIt(ofUser))
  }
  const ofSubjects = await transaction
    .selectFrom('alert_subject_rules')
    .select(['subject as of', 'subject_key as key', 'rules'])
    .where('user_key', '=', userKey)
    .execute()
  for (const { of, key, rules: text } of ofSubjects) {
    const own = v.parse(RulesOfSubject, text)
    if (own.channels?.includes(id) !== true) continue
    await replaceSubjectRules(transaction, userKey, { of, key, rules: withoutIt(own) })
  }
}

function noRules() {
  const maintenance: MaintenanceRecord[] = []
  return { rules: defaultAlertRules, differing: new Map<string, SubjectRules>(), maintenance }
}

async function findRules(transaction: DatabaseTransaction, userKey: number) {
  const row = await transaction
    .selectFrom('alert_rules')
    .select('rules')
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  return row && v.parse(Rules, row.rules)
}

async function writeRules(transaction: DatabaseTransaction, userKey: number, changed: AlertRules) {
  const rules = JSON.stringify(changed)
  await transaction
    .insertInto('alert_rules')
    .values({ user_key: userKey, rules })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ rules }))
    .execute()
}

function differs(rules: SubjectRules): boolean {
  return Object.values(rules).some((rule) => rule !== null)
}

/** Stores nothing if no rule differs. The join skips what was deleted meanwhile. */
async function replaceSubjectRules(
  transaction: DatabaseTransaction,
  userKey: number,
  { of, key, rules }: Pick<Subject, 'of' | 'key'> & { readonly rules: SubjectRules },
): Promise<void> {
  await transaction
    .deleteFrom('alert_subject_rules')
    .where('user_key', '=', userKey)
    .where('subject', '=', of)
    .where('subject_key', '=', key)
    .execute()
  if (!differs(rules)) return
  const table = sql.table(`${of}s`)
  await sql`
    insert into alert_subject_rules
      (user_key, subject, subject_key, ${sql.ref(`${of}_key`)}, rules)
    select users.key, ${of}, subjects.key, subjects.key, ${JSON.stringify(rules)}
    from users join ${table} as subjects on subjects.key = ${key}
    where users.key = ${userKey}`.execute(transaction)
}
