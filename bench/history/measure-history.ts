import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { readHistory } from '../../apps/server/src/features/history/read-history.ts'
import { rollUpDays, rollUpRestMs } from '../../apps/server/src/features/history/roll-up-days.ts'
import { sqlHistoryStore } from '../../apps/server/src/features/history/sql-history-store.ts'
import { sqlFlipOutbox } from '../../apps/server/src/features/presence/flips/sql-flip-outbox-store.ts'
import { openStorage, type Storage } from '../../apps/server/src/storage/storage.ts'
import { seedDataDir, type SeedDevice } from '../../apps/server/src/test/seed-data-dir.ts'
import type { BenchRow } from '../bench-row.ts'
import { startPostgres } from '../cluster/postgres-process.ts'
import { median } from '../median.ts'
import { seededId } from '../server/seeded-device.ts'

const dayMs = 86_400_000
/** With a smaller number it says at once whether it works. */
const devices = Number(process.env['BENCH_HISTORY_DEVICES'] ?? 1_000_000)
const flipsPerDevice = 10
const reads = 500
const rollUpMs = 10_000
const readAtMostMs = 5

/** 90 days of one device among many, what its flips take on disk, and what making days of them costs. */
export async function measureHistory(): Promise<readonly BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  try {
    await seedDataDir(dataDir, { devices: someDevices() })
    const onSqlite = await measureStorage('SQLite', { dataDir }, () => 0)
    return [...onSqlite, ...(await measureOnPostgres(dataDir))]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureOnPostgres(dataDir: string): Promise<readonly BenchRow[]> {
  const postgres = await startPostgres()
  try {
    const databaseUrl = await postgres.seeded({ online: devices, neverSeen: 0 })
    return await measureStorage('PostgreSQL', { dataDir, databaseUrl }, postgres.cpuMs)
  } finally {
    await postgres.remove()
  }
}

async function measureStorage(
  name: string,
  where: { readonly dataDir: string; readonly databaseUrl?: string },
  otherCpuMs: () => number,
): Promise<readonly BenchRow[]> {
  const storage = await openStorage({
    ...where,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    const nowMs = Date.now()
    const emptyBytes = await sizeOf(storage)
    await addFlips(storage, nowMs)
    const flipBytes = (await sizeOf(storage)) - emptyBytes
    const store = sqlHistoryStore(storage.db, { longReads: storage.longReads })
    const keys = await someKeys(storage)
    const read = (key: number) =>
      // A new one each time: nothing is read from memory.
      readHistory({
        store,
        clock: () => nowMs,
        present: () => ({ status: 'offline', unrecordedMs: 0 }),
      }).of({ deviceKey: key, toldFromMs: 0 })
    const plain = (key: number) =>
      storage.longReads.selectFrom('devices').selectAll().where('key', '=', key).executeTakeFirst()
    const historyMs = await timesOf(keys, async (key) => (await read(key)).days(90))
    const plainMs = await timesOf(keys, plain)

    const cpuBefore = process.cpuUsage()
    const otherBefore = otherCpuMs()
    const beganMs = performance.now()
    const made = await rollUpDays(
      { store, flips: sqlFlipOutbox(storage.db), rest: () => wait(rollUpRestMs) },
      nowMs,
      AbortSignal.timeout(rollUpMs),
    )
    const tookMs = performance.now() - beganMs
    const { user, system } = process.cpuUsage(cpuBefore)
    const cpuMs = (user + system) / 1000 + otherCpuMs() - otherBefore
    return [
      {
        name: `90 days of one device on ${name}, median`,
        devices,
        value: median(historyMs),
        unit: 'ms',
        reference: median(plainMs),
        atMost: readAtMostMs,
      },
      {
        name: `a million flips on disk, ${name}`,
        value: flipBytes / (devices * flipsPerDevice),
        unit: 'MB',
      },
      { name: `days made in a second, ${name}`, value: (made * 1000) / tookMs, unit: 'calls/s' },
      {
        name: `a core’s time in each second of that, ${name}`,
        value: (cpuMs * 1000) / tookMs,
        unit: 'ms',
      },
    ]
  } finally {
    await storage.close()
  }
}

async function timesOf(
  keys: readonly number[],
  act: (key: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const times: number[] = []
  for (const key of keys) {
    const beganMs = performance.now()
    await act(key)
    times.push(performance.now() - beganMs)
  }
  return times
}

/** In the order in which they would have come. */
async function addFlips({ db }: Storage, nowMs: number): Promise<void> {
  for (let at = 0; at < flipsPerDevice; at += 1) {
    const fromMs = nowMs - (flipsPerDevice - at) * ((90 / flipsPerDevice) * dayMs)
    const status = at % 2 === 0 ? 'online' : 'offline'
    await sql`
      insert into presence_events (device_key, status, at_ms)
      select key, ${sql.lit(status)}, ${sql.lit(fromMs)} + key * ${sql.lit(Math.floor((8 * dayMs) / devices))}
      from devices order by key`.execute(db)
  }
}

async function someKeys({ db }: Storage): Promise<readonly number[]> {
  const { last } = await db
    .selectFrom('devices')
    .select((row) => row.fn.max('key').as('last'))
    .executeTakeFirstOrThrow()
  return Array.from({ length: reads }, (_, at) => ((at * 7919) % last) + 1)
}

async function sizeOf({ db, kind }: Storage): Promise<number> {
  const { rows } =
    kind === 'postgres'
      ? await sql<{ bytes: number }>`
          select pg_total_relation_size('presence_events')::bigint as bytes`.execute(db)
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
