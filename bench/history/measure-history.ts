import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { historyDays } from '@astropelago/contract/history'
import { sql } from 'kysely'
import { listEvents } from '../../apps/server/src/features/history/history-routes.ts'
import { readHistory } from '../../apps/server/src/features/history/read-history.ts'
import {
  daysReader,
  rollUpDays,
  rollUpRestMs,
} from '../../apps/server/src/features/history/roll-up-days.ts'
import { sqlHistoryStore } from '../../apps/server/src/features/history/sql-history-store.ts'
import { sqlFlipStore } from '../../apps/server/src/features/presence/flips/sql-flip-store.ts'
import { newestPosition } from '../../apps/server/src/page-position.ts'
import { openStorage, type Storage } from '../../apps/server/src/storage/storage.ts'
import { seedDataDir, type SeedDevice } from '../../apps/server/src/test/seed-data-dir.ts'
import { runStatement } from '../../apps/server/src/test/test-databases.ts'
import type { BenchRow } from '../bench-row.ts'
import { startPostgres } from '../cluster/postgres-process.ts'
import { quantile } from '../quantile.ts'
import { seededId } from '../server/seeded-device.ts'
import { daysStatement, flipStatements } from './fill-history.ts'

/** A smaller number is enough to check that the scenario works. */
const devices = Number(process.env['BENCH_HISTORY_DEVICES'] ?? 1_000_000)
const flipsPerDevice = 10
/** Warm-ups are not counted. */
const [warmUps, reads] = [50, 2000]
const workMs = 10_000
const readAtMostMs = 5

/** A database to measure. */
interface Subject {
  readonly name: string
  readonly storage: Storage
  /** Processor time of the database's own processes so far. */
  readonly otherCpuMs: () => number
  /** Runs long statements, and leaves the database as after a long run. */
  readonly fill: (statements: readonly string[]) => Promise<void>
}

/** Measures 90 days of one device among many, flips on disk, and the cost of rolling up days. */
export async function measureHistory(): Promise<readonly BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  try {
    await seedDataDir(dataDir, { devices: someDevices() })
    const onSqlite = await withStorage({ dataDir }, (storage) =>
      measureStorage({
        name: 'SQLite',
        storage,
        otherCpuMs: () => 0,
        fill: async (statements) => {
          for (const statement of statements) await sql.raw(statement).execute(storage.db)
        },
      }),
    )
    return [...onSqlite, ...(await measureOnPostgres(dataDir))]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureOnPostgres(dataDir: string): Promise<readonly BenchRow[]> {
  const postgres = await startPostgres()
  try {
    const databaseUrl = await postgres.seeded({ online: devices, neverSeen: 0 })
    return await withStorage({ dataDir, databaseUrl }, (storage) =>
      measureStorage({
        name: 'PostgreSQL',
        storage,
        otherCpuMs: postgres.cpuMs,
        fill: async (statements) => {
          for (const statement of statements) {
            // Without triggers, including those that check references.
            const setting = `set session_replication_role = 'replica'`
            await runStatement(databaseUrl, `${setting}; ${statement}`)
          }
          await runStatement(databaseUrl, 'vacuum analyze')
          await runStatement(databaseUrl, 'checkpoint')
        },
      }),
    )
  } finally {
    await postgres.remove()
  }
}

async function withStorage<Result>(
  where: { readonly dataDir: string; readonly databaseUrl?: string },
  measure: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage({
    ...where,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    return await measure(storage)
  } finally {
    await storage.close()
  }
}

async function measureStorage(subject: Subject): Promise<readonly BenchRow[]> {
  const { name, storage, fill } = subject
  const nowMs = Date.now()
  const emptyBytes = await sizeOf(storage, 'presence_events')
  await fill(flipStatements({ devices, flipsPerDevice, days: historyDays, nowMs }))
  const flipBytes = (await sizeOf(storage, 'presence_events')) - emptyBytes
  const fromFlips = await measureReads(storage)
  const noDaysBytes = await sizeOf(storage, 'device_days')
  const making = await measureMaking(subject, nowMs)
  await fill([daysStatement(nowMs)])
  const dayBytes = (await sizeOf(storage, 'device_days')) - noDaysBytes
  const days = await countDays(storage)
  const fromDays = await measureReads(storage)
  const deleting = await measureDeleting(subject, nowMs)
  return [
    ...readFigures(`90 days of one device on ${name}`, fromDays),
    ...readFigures(`the same before days are rolled up on ${name}`, fromFlips),
    {
      name: `a million flips on disk, ${name}`,
      value: flipBytes / (devices * flipsPerDevice),
      unit: 'MB',
    },
    { name: `a million days on disk, ${name}`, value: dayBytes / days, unit: 'MB' },
    ...making,
    ...deleting,
  ]
}

interface Reads {
  readonly historyMs: readonly number[]
  readonly plainMs: readonly number[]
}

/** Reads histories of devices with distant keys, each beside a bare read by primary key. */
async function measureReads(storage: Storage): Promise<Reads> {
  const { longReads } = storage
  const store = sqlHistoryStore(storage.db, { longReads })
  // The caches hold other devices, except for the server's outages, which all devices share.
  const history = readHistory({
    store,
    clock: Date.now,
    presence: { present: () => ({ status: 'offline', unrecordedMs: 0 }) },
  })
  const readPage = async (deviceKey: number) => {
    const [time, unobserved] = await Promise.all([
      history.of({ deviceKey, visibleFromMs: 0 }),
      history.readUnobserved(),
    ])
    const { firstMs, unrecorded } = time
    if (firstMs === null) throw new Error('it has no history')
    const after = newestPosition
    const { events } = await listEvents(store, {
      deviceKey,
      firstMs,
      unrecorded,
      unobserved,
      after,
    })
    if (events.length < flipsPerDevice - 1) throw new Error('events are missing')
    return time.days(historyDays)
  }
  const readPlain = async (key: number) => {
    await longReads.selectFrom('devices').selectAll().where('key', '=', key).executeTakeFirst()
  }
  const historyMs: number[] = []
  const plainMs: number[] = []
  for (let at = -warmUps; at < reads; at += 1) {
    const key = 1 + (((at + warmUps) * 611_953) % devices)
    const tookMs = [await timeOf(() => readPage(key)), await timeOf(() => readPlain(key))] as const
    if (at < 0) continue
    historyMs.push(tookMs[0])
    plainMs.push(tookMs[1])
  }
  return { historyMs, plainMs }
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await act()
  return performance.now() - beganMs
}

function readFigures(name: string, { historyMs, plainMs }: Reads): BenchRow[] {
  const figure = (what: string, share: number) =>
    ({
      name: `${name}, ${what}`,
      value: quantile(historyMs, share),
      unit: 'ms',
      reference: quantile(plainMs, share),
    }) as const satisfies BenchRow
  return [{ ...figure('median', 0.5), atMost: readAtMostMs }, figure('p99', 0.99)]
}

/** How fast a server rolls up many days. */
async function measureMaking(subject: Subject, nowMs: number): Promise<readonly BenchRow[]> {
  const { db, longReads } = subject.storage
  const store = sqlHistoryStore(db, { longReads })
  const flips = sqlFlipStore(db)
  return await measureWork(subject, 'days rolled up', (signal) =>
    rollUpDays({ store, flips, rest: () => wait(rollUpRestMs) }, nowMs, signal),
  )
}

/** How fast old flips are deleted, once all are read. */
async function measureDeleting(subject: Subject, nowMs: number): Promise<readonly BenchRow[]> {
  const { db } = subject.storage
  await sql`update presence_event_cursors set sequence = (select max(sequence) from presence_events)`.execute(
    db,
  )
  const flips = sqlFlipStore(db)
  return await measureWork(subject, 'old flips deleted', (signal) =>
    flips.prune(nowMs, daysReader, signal),
  )
}

async function measureWork(
  { name, otherCpuMs }: Subject,
  what: string,
  act: (signal: AbortSignal) => Promise<number>,
): Promise<readonly BenchRow[]> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + otherCpuMs()
  }
  const [cpuBeforeMs, beganMs] = [cpuMs(), performance.now()]
  const count = await act(AbortSignal.timeout(workMs))
  const tookMs = performance.now() - beganMs
  return [
    { name: `${what} per second, ${name}`, value: (count * 1000) / tookMs, unit: 'calls/s' },
    {
      name: `processor time per second of that, ${name}`,
      value: ((cpuMs() - cpuBeforeMs) * 1000) / tookMs,
      unit: 'ms',
    },
  ]
}

async function countDays({ db }: Storage): Promise<number> {
  const { count } = await db
    .selectFrom('device_days')
    .select((days) => days.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function sizeOf(
  { db, kind }: Storage,
  table: 'presence_events' | 'device_days',
): Promise<number> {
  const { rows } =
    kind === 'postgres'
      ? await sql<{ bytes: number }>`
          select pg_total_relation_size(${table})::bigint as bytes`.execute(db)
      : await sql<{ bytes: number }>`
          select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(
          db,
        )
  return rows[0]?.bytes ?? 0
}

function* someDevices(): Generator<SeedDevice> {
  for (let number = 1; number <= devices; number += 1) {
    yield { id: seededId(number), label: 'Pi', lat: 1, lon: 2, link: null, status: 'unknown' }
  }
}
