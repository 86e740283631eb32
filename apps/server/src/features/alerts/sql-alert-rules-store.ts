import {
  AlertRules,
  defaultAlertRules,
  sameRules,
  SubjectRules,
} from '@astropelago/contract/alert-rules'
import { alertIslandsPerUser } from '@astropelago/contract/limits'
import { sql, type Transaction } from 'kysely'
import * as v from 'valibot'
import { lockRows } from '../../storage/locks.ts'
import type { RowOf, Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import { subjectName, type MaintenanceRecord, type Subject } from './user-rules.ts'

const Rules = v.pipe(v.string(), v.parseJson(), AlertRules)
const RulesOfThing = v.pipe(v.string(), v.parseJson(), SubjectRules)
const Ids = v.nullable(v.array(v.string()))
const Scope = v.pipe(v.string(), v.parseJson(), v.object({ devices: Ids, islands: Ids }))
/** How many finished maintenances are kept for one user. */
const overKept = 50
/** More than there can be: SQLite takes no offset without a limit. */
const overDeleted = 1000

export function sqlAlertRulesStore(db: Database): AlertRulesStore {
  const changed = <Result>(
    userKey: number,
    nowMs: number,
    work: (transaction: Transaction<Schema>) => Promise<Result>,
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
      if (userKeys.length === 0) return new Map()
      const [ofUsers, ofThings, maintenance] = await Promise.all([
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
      const rules = new Map(ofUsers.map((row) => [row.user_key, v.parse(Rules, row.rules)]))
      const things = Map.groupBy(ofThings, (row) => row.user_key)
      const planned = Map.groupBy(maintenance, (row) => row.user_key)
      return new Map(
        [...new Set([...rules.keys(), ...things.keys(), ...planned.keys()])].map((userKey) => [
          userKey,
          {
            rules: rules.get(userKey) ?? defaultAlertRules,
            differing: new Map(
              (things.get(userKey) ?? []).map((row) => [
                subjectName({ of: row.subject, key: row.subject_key }),
                v.parse(RulesOfThing, row.rules),
              ]),
            ),
            maintenance: (planned.get(userKey) ?? []).map(readMaintenance),
          },
        ]),
      )
    },

    changeRules: (userKey, change, nowMs) =>
      changed(userKey, nowMs, async (transaction) => {
        const row = await transaction
          .selectFrom('alert_rules')
          .select('rules')
          .where('user_key', '=', userKey)
          .executeTakeFirst()
        const before = row === undefined ? defaultAlertRules : v.parse(Rules, row.rules)
        const rules = JSON.stringify(change(before))
        await transaction
          .insertInto('alert_rules')
          .values({ user_key: userKey, rules })
          .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ rules }))
          .execute()
      }),

    changeThingRules: (userKey, { of, key }, change, nowMs) =>
      changed(userKey, nowMs, async (transaction) => {
        const row = await transaction
          .selectFrom('alert_subject_rules')
          .select('rules')
          .where('user_key', '=', userKey)
          .where('subject', '=', of)
          .where('subject_key', '=', key)
          .executeTakeFirst()
        const rules = change(row === undefined ? sameRules : v.parse(RulesOfThing, row.rules))
        const isNew = row === undefined && differs(rules) && of === 'island'
        if (isNew && (await countIslands(transaction, userKey)) >= alertIslandsPerUser) return false
        await replaceThingRules(transaction, { userKey, of, key, rules })
        return true
      }),

    listChoosers: async (islandKey, { afterKey, limit }) => {
      const rows = await db
        .selectFrom('alert_subject_rules')
        .select('user_key')
        .where('island_key', '=', islandKey)
        .where('user_key', '>', afterKey)
        .orderBy('user_key')
        .limit(limit)
        .execute()
      return rows.map((row) => row.user_key)
    },

    listDiffering: async (userKey) => {
      const { rows } = await sql<DifferingRow>`
        select subject as "of", subject_key as key, islands.slug,
          coalesce(devices.user_key, islands.user_key) as owner_key, coalesce(devices.id, islands.id) as id,
          coalesce(devices.label, islands.name) as name, rules
        from alert_subject_rules
        left join devices on devices.key = device_key
        left join islands on islands.key = island_key
        where alert_subject_rules.user_key = ${userKey}
        order by subject, subject_key`.execute(db)
      return rows.map(({ of, key, id, name, slug, owner_key: ownerKey, rules }) => ({
        of,
        key,
        id,
        name,
        slug,
        isOwn: ownerKey === userKey,
        rules: v.parse(RulesOfThing, rules),
      }))
    },

    insertMaintenance: (userKey, { id, fromMs, toMs, devices, islands, note }, { nowMs, limit }) =>
      changed(userKey, nowMs, async (transaction) => {
        const { count } = await transaction
          .selectFrom('alert_maintenance')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_key', '=', userKey)
          .where('until_ms', '>', nowMs)
          .executeTakeFirstOrThrow()
        if (count >= limit) return false
        await transaction
          .deleteFrom('alert_maintenance')
          .where('id', 'in', (over) =>
            over
              .selectFrom('alert_maintenance')
              .select('id')
              .where('user_key', '=', userKey)
              .where('until_ms', '<=', nowMs)
              .orderBy('until_ms', 'desc')
              .limit(overDeleted)
              .offset(overKept),
          )
          .execute()
        await transaction
          .insertInto('alert_maintenance')
          .values({
            id,
            user_key: userKey,
            from_ms: fromMs,
            until_ms: toMs,
            scope: JSON.stringify({ devices, islands }),
            note,
          })
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

interface DifferingRow extends Pick<Subject, 'of' | 'key' | 'id'> {
  readonly name: string
  readonly slug: string | null
  readonly owner_key: number | null
  readonly rules: string
}

async function countIslands(transaction: Transaction<Schema>, userKey: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('alert_subject_rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_key', '=', userKey)
    .where('subject', '=', 'island')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Removes a deleted channel from its user's rules. If no other channel was chosen, the choice is reset.
 * Otherwise alerts would go nowhere.
 */
export async function forgetChannel(
  transaction: Transaction<Schema>,
  userKey: number,
  id: string,
): Promise<void> {
  const without = (chosen: readonly string[]) => {
    const left = chosen.filter((other) => other !== id)
    return left.length === 0 ? null : left
  }
  const ofUser = await transaction
    .selectFrom('alert_rules')
    .select('rules')
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  const rules = ofUser && v.parse(Rules, ofUser.rules)
  if (rules?.channels?.includes(id) === true) {
    await transaction
      .updateTable('alert_rules')
      .set({ rules: JSON.stringify({ ...rules, channels: without(rules.channels) }) })
      .where('user_key', '=', userKey)
      .execute()
  }
  const ofThings = await transaction
    .selectFrom('alert_subject_rules')
    .select(['subject as of', 'subject_key as key', 'rules'])
    .where('user_key', '=', userKey)
    .execute()
  for (const { of, key, rules: text } of ofThings) {
    const own = v.parse(RulesOfThing, text)
    if (own.channels?.includes(id) !== true) continue
    const left = { ...own, channels: without(own.channels) }
    await replaceThingRules(transaction, { userKey, of, key, rules: left })
  }
}

function differs(rules: SubjectRules): boolean {
  return Object.values(rules).some((rule) => rule !== null)
}

/**
 * Stores nothing if the rules equal the user's general ones. The joins skip things and users that were
 * deleted meanwhile.
 */
async function replaceThingRules(
  transaction: Transaction<Schema>,
  {
    userKey,
    of,
    key,
    rules,
  }: {
    readonly userKey: number
    readonly of: Subject['of']
    readonly key: number
    readonly rules: SubjectRules
  },
): Promise<void> {
  await transaction
    .deleteFrom('alert_subject_rules')
    .where('user_key', '=', userKey)
    .where('subject', '=', of)
    .where('subject_key', '=', key)
    .execute()
  if (!differs(rules)) return
  const table = sql.table(of === 'device' ? 'devices' : 'islands')
  await sql`
    insert into alert_subject_rules
      (user_key, subject, subject_key, ${sql.ref(`${of}_key`)}, rules)
    select users.key, ${of}, things.key, things.key, ${JSON.stringify(rules)}
    from users join ${table} as things on things.key = ${key}
    where users.key = ${userKey}`.execute(transaction)
}

function readMaintenance(row: RowOf<'alert_maintenance'>): MaintenanceRecord {
  const { id, note } = row
  return { id, fromMs: row.from_ms, toMs: row.until_ms, note, ...v.parse(Scope, row.scope) }
}
