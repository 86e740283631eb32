import { sql } from 'kysely'
import { lockRows } from '../../../storage/locks.ts'
import { rowList, valueList } from '../../../storage/sql-lists.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import type { DeviceReportsStore, NewReport } from './device-reports-store.ts'

const reportColumns = [
  'device_reports.device_key as deviceKey',
  'device_reports.at_ms as atMs',
  'device_reports.status',
  'device_reports.since_ms as sinceMs',
  'device_reports.text',
  'device_reports.exit_code as exitCode',
  'device_reports.duration_ms as durationMs',
  'device_reports.started_ms as startedMs',
] as const

export function sqlDeviceReportsStore({ db, changes }: RecordingStorage): DeviceReportsStore {
  return {
    keep: (reports) =>
      changes.write(async (transaction, record) => {
        const deviceKeys = reports.map(({ deviceKey }) => deviceKey)
        // Several servers may receive reports of one device.
        await lockRows(transaction, 'devices', deviceKeys)
        await keepAll(transaction, reports)
        record('device-reports', deviceKeys)
        return await read(transaction, deviceKeys)
      }),

    read: (deviceKeys) => read(db, deviceKeys),

    readChanges: (after, limit) =>
      db
        .selectFrom('device_reports')
        .innerJoin('devices', 'devices.key', 'device_reports.device_key')
        .select(reportColumns)
        .select((report) => [
          report.ref('device_reports.change').$notNull().as('change'),
          'devices.id as deviceId',
          'devices.user_key as ownerKey',
        ])
        .where('device_reports.change', '>', after)
        .orderBy('device_reports.change')
        .limit(limit)
        .execute(),
  }
}

function read(db: Database, deviceKeys: readonly number[]) {
  return db
    .selectFrom('device_reports')
    .select(reportColumns)
    .where('device_key', 'in', valueList(db, 'integer', deviceKeys))
    .execute()
}

async function keepAll(db: DatabaseTransaction, reports: readonly NewReport[]): Promise<void> {
  const given = rowList(db, {
    device_key: ['integer', reports.map(({ deviceKey }) => deviceKey)],
    at_ms: ['bigint', reports.map(({ atMs }) => atMs)],
    status: ['text', reports.map(({ status }) => status)],
    text: ['text', reports.map(({ text }) => text)],
    exit_code: ['bigint', reports.map(({ exitCode }) => exitCode)],
    began_ms: ['bigint', reports.map(({ beganMs }) => beganMs)],
    started_ms: ['bigint', reports.map(({ startedMs }) => startedMs)],
  })
  const { rows: changed } = await sql<{ deviceKey: number }>`
    select given.device_key as "deviceKey"
    from (${given}) as given
    join devices on devices.key = given.device_key
    left join device_reports on device_reports.device_key = given.device_key
    where given.status <> coalesce(device_reports.status, 'ok')
      and coalesce(device_reports.at_ms, 0) <= given.at_ms
    order by given.position`.execute(db)
  const numbered = await numberChanges(
    db,
    changed.map(({ deviceKey }) => deviceKey),
  )
  // A start changes only what it says. The end of a run takes its start from the record.
  await sql`
    insert into device_reports (
      device_key, at_ms, status, since_ms, text, exit_code, duration_ms, started_ms, change
    )
    select given.device_key,
      case when given.status is null then coalesce(last.at_ms, given.at_ms) else given.at_ms end,
      coalesce(given.status, last.status, 'ok'),
      case when coalesce(given.status, last.status) = last.status
        then last.since_ms else given.at_ms end,
      case when given.status is null then last.text else given.text end,
      case when given.status is null then last.exit_code else given.exit_code end,
      case when given.status is null then last.duration_ms
        else given.at_ms - coalesce(given.began_ms, last.started_ms) end,
      given.started_ms,
      coalesce(numbered.change, last.change)
    from (${given}) as given
    join devices on devices.key = given.device_key
    left join device_reports as last on last.device_key = given.device_key
    left join (${numbered}) as numbered on numbered.device_key = given.device_key
    where coalesce(last.at_ms, 0) <= given.at_ms
    on conflict (device_key) do update set
      at_ms = excluded.at_ms,
      status = excluded.status,
      since_ms = excluded.since_ms,
      text = excluded.text,
      exit_code = excluded.exit_code,
      duration_ms = excluded.duration_ms,
      started_ms = excluded.started_ms,
      change = excluded.change`.execute(db)
}

/** Other transactions wait until this one is committed, so no reader sees a higher number first. */
async function numberChanges(db: DatabaseTransaction, deviceKeys: readonly number[]) {
  let last = 0
  if (deviceKeys.length > 0) {
    const row = await db
      .updateTable('warning_changes')
      .set((changes) => ({ last: changes('last', '+', deviceKeys.length) }))
      .returning('last')
      .executeTakeFirstOrThrow()
    last = row.last
  }
  return rowList(db, {
    device_key: ['integer', deviceKeys],
    change: ['bigint', deviceKeys.map((_, at) => last - deviceKeys.length + 1 + at)],
  })
}
