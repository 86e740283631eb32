import { sql, type InferResult } from 'kysely'
import { lockRows } from '../../../storage/locks.ts'
import { disabledUsers, isShownDevice, isShownIsland } from '../../../storage/sql-access-rows.ts'
import { valueList } from '../../../storage/sql-lists.ts'
import type { Database, Storage } from '../../../storage/storage.ts'
import type { Location, LocationsStore, Proof } from './locations-store.ts'

/** Hardly anybody has an island looked at by more than one check. */
const arcChecksMax = 5

export function sqlLocationsStore({
  db,
  longReads,
}: Pick<Storage, 'db' | 'longReads'>): LocationsStore {
  return {
    listLending: async () => {
      const rows = await selectLocations(db).where('is_lending', '=', 1).execute()
      return rows.map(toLocation)
    },

    listOwn: async (userKey) => {
      const own = selectLocations(db).where('devices.user_key', '=', userKey)
      return (await own.orderBy('devices.key').execute()).map(toLocation)
    },

    read: async (deviceKeys) => {
      const rows = await selectLocations(db)
        .where('device_key', 'in', valueList(db, 'integer', deviceKeys))
        .execute()
      return rows.map(toLocation)
    },

    setLending: async (deviceKey, { id, isLending, region, atMs }) => {
      const consented_ms = isLending ? atMs : null
      await db
        .insertInto('check_locations')
        .values({ device_key: deviceKey, id, region, is_lending: Number(isLending), consented_ms })
        .onConflict((conflict) =>
          conflict.column('device_key').doUpdateSet({
            region,
            is_lending: Number(isLending),
            ...(isLending && { consented_ms }),
          }),
        )
        .execute()
    },

    countLooks: async (deviceKey, sinceMs) => {
      const rows = await longReads
        .selectFrom('check_samples')
        .select(['check_key', ({ fn }) => fn.countAll<number | string>().as('count')])
        .where('location_key', '=', deviceKey)
        .where('location_key', '>', 0)
        .where('at_ms', '>=', sinceMs)
        .groupBy('check_key')
        .orderBy('check_key')
        .execute()
      return rows.map(({ check_key: checkKey, count }) => ({ checkKey, count: Number(count) }))
    },

    findArcs: async ({ of, id }, { userKey, sinceMs }) => {
      const subject = { checks: 'checks.id', islands: 'islands.id', devices: 'carriers.id' }[of]
      const { rows } = await sql<{ deviceKey: number; carrierKey: number | null }>`
        with seen as (
          select checks.key, carriers.key as carrier_key,
            case when checks.user_key = ${userKey} or checks.public_ms < ${sql.lit(sinceMs)}
              then ${sql.lit(sinceMs)} else checks.public_ms end as since_ms
          from checks
          left join islands on islands.key = checks.island_key
            and (checks.user_key = ${userKey} or ${isShownIsland()})
          left join devices as carriers on carriers.key = islands.carrier_key
            and (carriers.user_key = ${userKey} or ${isShownDevice('carriers')})
          where ${sql.ref(subject)} = ${id} and checks.user_key not in ${disabledUsers}
            and (checks.user_key = ${userKey}
              or checks.public_ms is not null and checks.hidden_ms is null)
          order by checks.key limit ${arcChecksMax}
        )
        select distinct check_locations.device_key as "deviceKey", seen.carrier_key as "carrierKey"
        from seen
        join check_samples on check_samples.check_key = seen.key and location_key > 0
          and at_ms >= since_ms
        join check_locations on check_locations.device_key = location_key and is_lending = 1
        order by "deviceKey"`.execute(longReads)
      return rows
    },

    openProof: (userKey, place, newCode, placesInUse) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [userKey])
        const own = selectProofs(transaction).where('user_key', '=', userKey)
        const known = await own.where('place', '=', place).executeTakeFirst()
        if (known !== undefined) return toProof(known)
        const other = await own.limit(1).executeTakeFirst()
        await transaction
          .deleteFrom('check_proofs')
          .where('user_key', '=', userKey)
          .where('place', 'not in', valueList(transaction, 'text', placesInUse))
          .execute()
        const row = {
          user_key: userKey,
          place,
          code: other?.code ?? newCode,
          proven_ms: null,
          asked_ms: null,
        }
        await transaction.insertInto('check_proofs').values(row).execute()
        return toProof(row)
      }),

    recordProof: async ({ userKey, place, provenMs }, askedMs) => {
      await db
        .updateTable('check_proofs')
        .set({ proven_ms: provenMs, asked_ms: askedMs })
        .where('user_key', '=', userKey)
        .where('place', '=', place)
        .execute()
    },

    deleteProof: async ({ userKey, place }) => {
      await db
        .deleteFrom('check_proofs')
        .where('user_key', '=', userKey)
        .where('place', '=', place)
        .execute()
    },

    listProven: async (sinceMs) =>
      (await selectProofs(db).where('proven_ms', '>=', sinceMs).execute()).map(toProof),

    listDue: async (askedBeforeMs, limit) => {
      const rows = await selectProofs(db)
        .where(sql<boolean>`coalesce(asked_ms, 0) <= ${askedBeforeMs}`)
        .orderBy(sql`coalesce(asked_ms, 0)`)
        .limit(limit)
        .execute()
      return rows.map(toProof)
    },

    listDoubts: () =>
      db
        .selectFrom('check_doubts')
        .select(['check_key as checkKey', 'device_key as deviceKey', 'since_ms as sinceMs'])
        .execute(),

    describeDoubts: (limit) =>
      db
        .selectFrom('check_doubts')
        .innerJoin('checks', 'checks.key', 'check_key')
        .innerJoin('users as owners', 'owners.key', 'checks.user_key')
        .innerJoin('devices', 'devices.key', 'device_key')
        .innerJoin('users as lenders', 'lenders.key', 'devices.user_key')
        .select(['lenders.username as lender', 'devices.id as deviceId', 'checks.id as checkId'])
        .select(['owners.username as owner', 'since_ms as sinceMs'])
        .orderBy('since_ms')
        .orderBy('checks.key')
        .orderBy('devices.key')
        .limit(limit)
        .execute(),

    setDoubts: (checkKey, doubts) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('check_doubts').where('check_key', '=', checkKey).execute()
        for (const [deviceKey, sinceMs] of doubts) {
          // The check or the device may be gone.
          await sql`
            insert into check_doubts (check_key, device_key, since_ms)
            select checks.key, devices.key, ${sinceMs} from checks, devices
            where checks.key = ${checkKey} and devices.key = ${deviceKey}`.execute(transaction)
        }
      }),
  }
}

function selectLocations(db: Database) {
  return db
    .selectFrom('check_locations')
    .innerJoin('devices', 'devices.key', 'device_key')
    .select(['device_key', 'devices.id as device_id', 'user_key', 'check_locations.id', 'region'])
    .select(['is_lending', 'consented_ms'])
    .where('user_key', 'not in', disabledUsers)
}

function toLocation(row: InferResult<ReturnType<typeof selectLocations>>[number]): Location {
  return {
    deviceKey: row.device_key,
    deviceId: row.device_id,
    userKey: row.user_key,
    id: row.id,
    region: row.region,
    isLending: row.is_lending === 1,
    consentedMs: row.consented_ms,
  }
}

function selectProofs(db: Database) {
  return db
    .selectFrom('check_proofs')
    .select(['user_key', 'place', 'code', 'proven_ms', 'asked_ms'])
    .where('user_key', 'not in', disabledUsers)
}

function toProof(row: InferResult<ReturnType<typeof selectProofs>>[number]): Proof {
  return {
    userKey: row.user_key,
    place: row.place,
    code: row.code,
    provenMs: row.proven_ms,
    askedMs: row.asked_ms,
  }
}
