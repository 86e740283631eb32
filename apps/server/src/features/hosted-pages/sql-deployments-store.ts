import { BlockedAddress } from '@astropelago/contract/hosted-pages'
import { sql, type Transaction } from 'kysely'
import * as v from 'valibot'
import type { RecordChange } from '../../storage/change-log.ts'
import { countRows } from '../../storage/count-rows.ts'
import { lockRows, lockTotal } from '../../storage/locks.ts'
import type { RowOf, Schema } from '../../storage/schema.ts'
import { TotalReached } from '../../storage/storage-error.ts'
import type { BulkStorage, Database } from '../../storage/storage.ts'
import {
  chunkBytes,
  type Content,
  type DeployedFile,
  type DeploymentRecord,
  type DeploymentsStore,
  type NewDeployment,
} from './deployments-store.ts'

const Blocked = v.pipe(v.string(), v.parseJson(), v.array(BlockedAddress))
/** SQLite takes at most 32,766 values in a statement. */
const filesPerInsert = 1000

export function sqlDeploymentsStore({
  db,
  changes,
  longReads,
  writeUnsynced,
}: BulkStorage): DeploymentsStore {
  return {
    begin: (deployment, { totalBytes, hostBytes }) =>
      db.transaction().execute(async (transaction) => {
        const { islandKey, files } = deployment
        await lockTotal(transaction, 'page_deployments')
        // What is deleted as unused meanwhile is not counted as stored.
        await lockRows(transaction, 'islands', [islandKey])
        const row = newRow(deployment)
        if ((await storedBytes(transaction)) + row.stored_bytes > totalBytes) {
          throw new TotalReached(`there is no room for ${row.stored_bytes} bytes of pages`)
        }
        const ofHost = await storedBytesOfHost(transaction, islandKey)
        if (ofHost + row.stored_bytes > hostBytes) return undefined
        const { key } = await transaction
          .insertInto('page_deployments')
          .values(row)
          .returning('key')
          .executeTakeFirstOrThrow()
        const stored = await listStored(transaction, islandKey)
        const rows = files.map((file) => fileRow(key, asStored(file, stored)))
        for (let at = 0; at < rows.length; at += filesPerInsert) {
          const some = rows.slice(at, at + filesPerInsert)
          await transaction.insertInto('page_files').values(some).execute()
        }
        const expected = new Map<string, number>()
        for (const { hash, bytes, gzipBytes } of files) {
          expected.set(nameOf({ hash, isGzip: false }), chunkCount(bytes))
          expected.set(nameOf({ hash, isGzip: true }), chunkCount(gzipBytes ?? 0))
        }
        const isStored = (content: Content) =>
          stored.get(nameOf(content))?.count === expected.get(nameOf(content))
        return { key, isStored }
      }),

    writeChunk: async ({ islandKey, hash, isGzip }, position, data) => {
      const chunk = db
        .insertInto('page_chunks')
        .values({
          island_key: islandKey,
          content_hash: hash,
          is_gzip: Number(isGzip),
          position,
          data,
        })
        .onConflict((conflict) => conflict.doNothing())
      // Nobody reads it before its deployment is published, which syncs it. A sync for each chunk doubled
      // the time of heartbeats on a slow disk.
      await writeUnsynced(chunk.compile())
    },

    becomeDraft: (key) =>
      db.transaction().execute(async (transaction) => {
        const pending = await findPending(transaction, key)
        if (pending === undefined) return
        await deleteDraft(transaction, pending.island_key)
        const draft = transaction.updateTable('page_deployments').set({ state: 'draft' })
        await draft.where('key', '=', key).execute()
      }),

    publish: (key, { atMs, kept, isTrusted }) =>
      changes.write(async (transaction, record) => {
        const pending = await findPending(transaction, key)
        if (pending === undefined) return 'waits'
        const { island_key, is_listed, suspicion } = pending
        await transaction
          .updateTable('page_deployments')
          .set({ state: 'published', ...(isTrusted && { suspicion: null }) })
          .where('key', '=', key)
          .execute()
        const waits = is_listed === 1 && suspicion !== null && !isTrusted
        if (!waits) await makeLive(transaction, record, { islandKey: island_key, key, atMs })
        await deleteOlder(transaction, island_key, kept)
        return waits ? 'waits' : 'live'
      }),

    abandon: async (key) => {
      const pending = db.deleteFrom('page_deployments').where('state', '=', 'pending')
      await pending.where('key', '=', key).execute()
    },

    setLive: (islandKey, id, atMs) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'islands', [islandKey])
        const found = await transaction
          .selectFrom('page_deployments')
          .innerJoin('islands', 'islands.key', 'page_deployments.island_key')
          .select(['page_deployments.key', 'islands.is_listed', 'suspicion', 'passed_ms'])
          .where('page_deployments.id', '=', id)
          .where('island_key', '=', islandKey)
          .where('state', '=', 'published')
          .executeTakeFirst()
        if (found === undefined || (found.is_listed === 1 && isInReview(found))) return false
        await makeLive(transaction, record, { islandKey, key: found.key, atMs })
        return true
      }),

    removeDraft: (islandKey) =>
      db.transaction().execute((transaction) => deleteDraft(transaction, islandKey)),

    removeAll: (islandKey) =>
      changes.write(async (transaction, record) => {
        const all = transaction.deleteFrom('page_deployments')
        await all.where('island_key', '=', islandKey).execute()
        record('islands', [islandKey])
      }),

    list: async (islandKey) => {
      const rows = await db
        .selectFrom('page_deployments')
        .selectAll()
        .where('island_key', '=', islandKey)
        .where('state', '!=', 'pending')
        .orderBy('key', 'desc')
        .execute()
      return rows.map(toDeployment)
    },

    listFiles: async (deploymentKey) => {
      const rows = await longReads
        .selectFrom('page_files')
        .selectAll()
        .where('deployment_key', '=', deploymentKey)
        .orderBy('path')
        .execute()
      return rows.map(toFile)
    },

    listBlocked: async (deploymentKey, limit) => {
      const rows = await longReads
        .selectFrom('page_files')
        .select('blocked')
        .where('deployment_key', '=', deploymentKey)
        .where('blocked', 'is not', null)
        .orderBy('path')
        // Each row has at least one.
        .limit(limit)
        .execute()
      return rows.flatMap(({ blocked }) => readBlocked(blocked)).slice(0, limit)
    },

    readChunk: async ({ islandKey, hash, isGzip }, position) => {
      const found = await longReads
        .selectFrom('page_chunks')
        .select('data')
        .where('island_key', '=', islandKey)
        .where('content_hash', '=', hash)
        .where('is_gzip', '=', Number(isGzip))
        .where('position', '=', position)
        .executeTakeFirst()
      return found?.data
    },

    totalBytes: () => storedBytes(longReads),

    listInReview: async (limit) => {
      const rows = await db
        .selectFrom('page_deployments')
        .innerJoin('islands', 'islands.key', 'page_deployments.island_key')
        .leftJoin('users', 'users.key', 'islands.user_key')
        .select(['page_deployments.id as deploymentId', 'page_deployments.created_ms as createdMs'])
        .select(['suspicion', 'islands.id as islandId', 'islands.slug', 'islands.name'])
        .select(['islands.is_listed', 'users.username as host'])
        .where('suspicion', 'is not', null)
        .where('passed_ms', 'is', null)
        .where('state', '=', 'published')
        .where('islands.hidden_ms', 'is', null)
        .orderBy('page_deployments.key')
        .limit(limit)
        .execute()
      return rows.map((row) =>
        Object.assign(row, {
          suspicion: row.suspicion ?? 'name',
          isListed: row.is_listed === 1,
        }),
      )
    },

    findInReview: (id) =>
      db
        .selectFrom('page_deployments')
        .select(['island_key as islandKey', 'key as deploymentKey'])
        .where('id', '=', id)
        .where('suspicion', 'is not', null)
        .where('passed_ms', 'is', null)
        .where('state', '=', 'published')
        .executeTakeFirst(),

    pass: (id, atMs) =>
      changes.write(async (transaction, record) => {
        const passed = await transaction
          .updateTable('page_deployments')
          .set({ passed_ms: atMs })
          .where('id', '=', id)
          .where('suspicion', 'is not', null)
          .where('passed_ms', 'is', null)
          .where('state', '=', 'published')
          .returning(['key', 'island_key', 'is_live', 'created_ms'])
          .executeTakeFirst()
        if (passed === undefined) return false
        const { key, island_key: islandKey } = passed
        await lockRows(transaction, 'islands', [islandKey])
        // Unless its host has published another one since, or brought one back.
        const others = transaction
          .selectFrom('page_deployments')
          .where('island_key', '=', islandKey)
        const newer = others
          .where('state', '=', 'published')
          .where((where) =>
            where.or([
              where('key', '>', key),
              where.and([where('is_live', '=', 1), where('changed_ms', '>', passed.created_ms)]),
            ]),
          )
        if (passed.is_live === 0 && (await countRows(newer)) === 0) {
          await makeLive(transaction, record, { islandKey, key, atMs })
        }
        return true
      }),

    deleteAbandoned: async (untilMs) => {
      const pending = db.deleteFrom('page_deployments').where('state', '=', 'pending')
      await pending.where('changed_ms', '<', untilMs).execute()
    },

    deleteUnused: async (limit) => {
      const unused = await longReads
        .selectFrom('page_chunks')
        .select(['island_key', 'content_hash', 'is_gzip', 'position'])
        .where(isUnused)
        .limit(limit)
        .execute()
      for (const { island_key, content_hash, is_gzip, position } of unused) {
        await db.transaction().execute(async (transaction) => {
          await lockRows(transaction, 'islands', [island_key])
          await transaction
            .deleteFrom('page_chunks')
            .where('island_key', '=', island_key)
            .where('content_hash', '=', content_hash)
            .where('is_gzip', '=', is_gzip)
            .where('position', '=', position)
            // A deployment that began meanwhile may have it.
            .where(isUnused)
            .execute()
        })
      }
      return unused.length
    },

    figures: async () => [
      {
        name: 'pages.islands',
        label: 'Islands with pages here',
        value: await countRows(longReads.selectFrom('page_deployments').where('is_live', '=', 1)),
      },
      {
        name: 'pages.bytes',
        label: 'Bytes of all deployments of pages',
        value: await storedBytes(longReads),
      },
    ],
  }
}

/** With its island locked, so that it is not listed meanwhile, and only one deployment becomes live. */
async function findPending(transaction: Transaction<Schema>, key: number) {
  const island = transaction.selectFrom('page_deployments').select('island_key')
  const { island_key = 0 } = (await island.where('key', '=', key).executeTakeFirst()) ?? {}
  await lockRows(transaction, 'islands', [island_key])
  return await transaction
    .selectFrom('page_deployments')
    .innerJoin('islands', 'islands.key', 'page_deployments.island_key')
    .select(['page_deployments.island_key', 'islands.is_listed', 'suspicion'])
    .where('page_deployments.key', '=', key)
    .where('state', '=', 'pending')
    .executeTakeFirst()
}

const isUnused = sql<boolean>`not exists (
  select 1 from page_files
  join page_deployments on page_deployments.key = page_files.deployment_key
  where page_files.content_hash = page_chunks.content_hash
    and page_deployments.island_key = page_chunks.island_key)`

function isInReview({ suspicion, passed_ms }: Pick<DeploymentRow, 'suspicion' | 'passed_ms'>) {
  return suspicion !== null && passed_ms === null
}

async function storedBytes(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('page_deployments')
    .select(sql<number | null>`cast(sum(stored_bytes) as double precision)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

/** Of all islands of the same host; 0 for one of the installation. */
async function storedBytesOfHost(db: Database, islandKey: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('page_deployments')
    .innerJoin('islands', 'islands.key', 'page_deployments.island_key')
    .innerJoin('islands as this', 'this.user_key', 'islands.user_key')
    .select(sql<number | null>`cast(sum(stored_bytes) as double precision)`.as('bytes'))
    .where('this.key', '=', islandKey)
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

async function makeLive(
  transaction: Transaction<Schema>,
  record: RecordChange,
  { islandKey, key, atMs }: { islandKey: number; key: number; atMs: number },
): Promise<void> {
  await transaction
    .updateTable('page_deployments')
    .set({ is_live: 0 })
    .where('island_key', '=', islandKey)
    .where('is_live', '=', 1)
    .execute()
  const live = transaction.updateTable('page_deployments').set({ is_live: 1, changed_ms: atMs })
  await live.where('key', '=', key).execute()
  record('islands', [islandKey])
}

async function deleteDraft(transaction: Transaction<Schema>, islandKey: number): Promise<void> {
  await transaction
    .deleteFrom('page_deployments')
    .where('island_key', '=', islandKey)
    .where('state', '=', 'draft')
    .execute()
}

async function deleteOlder(
  transaction: Transaction<Schema>,
  islandKey: number,
  kept: number,
): Promise<void> {
  const published = await transaction
    .selectFrom('page_deployments')
    .select('key')
    .where('island_key', '=', islandKey)
    .where('state', '=', 'published')
    .orderBy('key', 'desc')
    .execute()
  const older = published.slice(kept).map(({ key }) => key)
  if (older.length === 0) return
  const deleted = transaction.deleteFrom('page_deployments').where('key', 'in', older)
  await deleted.where('is_live', '=', 0).execute()
}

type Stored = ReadonlyMap<string, { readonly count: number; readonly bytes: number }>

async function listStored(transaction: Transaction<Schema>, islandKey: number): Promise<Stored> {
  const rows = await transaction
    .selectFrom('page_chunks')
    .select(['content_hash', 'is_gzip'])
    .select((select) => select.fn.countAll<number>().as('count'))
    .select(sql<number>`cast(sum(length(data)) as double precision)`.as('bytes'))
    .where('island_key', '=', islandKey)
    .groupBy(['content_hash', 'is_gzip'])
    .execute()
  return new Map(
    rows.map(({ content_hash: hash, is_gzip, ...found }) => [
      nameOf({ hash, isGzip: is_gzip === 1 }),
      found,
    ]),
  )
}

/** Other versions of zlib and other processors compress the same bytes to other ones. Those here stay. */
function asStored(file: DeployedFile, stored: Stored): DeployedFile {
  const { hash, gzipBytes } = file
  const { count = 0, bytes } = stored.get(nameOf({ hash, isGzip: true })) ?? {}
  if (gzipBytes === null || count < chunkCount(gzipBytes) || bytes === gzipBytes) return file
  return { ...file, gzipBytes: null }
}

function nameOf({ hash, isGzip }: Pick<Content, 'hash' | 'isGzip'>): string {
  return `${Buffer.from(hash).toString('base64')} ${isGzip}`
}

function chunkCount(bytes: number): number {
  return Math.ceil(bytes / chunkBytes)
}

function newRow({ id, islandKey, source, atMs, files }: NewDeployment) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const gzipBytes = files.reduce((sum, file) => sum + (file.gzipBytes ?? 0), 0)
  return {
    id,
    island_key: islandKey,
    state: 'pending' as const,
    is_live: 0,
    source,
    created_ms: atMs,
    changed_ms: atMs,
    file_count: files.length,
    bytes,
    stored_bytes: bytes + gzipBytes,
    suspicion: files.find(({ suspicion }) => suspicion !== null)?.suspicion ?? null,
  }
}

function fileRow(key: number, file: DeployedFile) {
  const { path, hash, bytes, gzipBytes, blocked, suspicion } = file
  return {
    deployment_key: key,
    path,
    content_hash: hash,
    bytes,
    gzip_bytes: gzipBytes,
    blocked: blocked.length === 0 ? null : JSON.stringify(blocked),
    suspicion,
  }
}

function toFile(row: RowOf<'page_files'>): DeployedFile {
  const { path, content_hash: hash, bytes, gzip_bytes: gzipBytes, suspicion } = row
  return { path, hash, bytes, gzipBytes, blocked: readBlocked(row.blocked), suspicion }
}

function readBlocked(blocked: string | null): readonly BlockedAddress[] {
  return blocked === null ? [] : v.parse(Blocked, blocked)
}

type DeploymentRow = RowOf<'page_deployments'>

function toDeployment(row: DeploymentRow): DeploymentRecord {
  return {
    key: row.key,
    id: row.id,
    state: row.state === 'draft' ? 'draft' : 'published',
    isLive: row.is_live === 1,
    source: row.source,
    createdMs: row.created_ms,
    changedMs: row.changed_ms,
    fileCount: row.file_count,
    bytes: row.bytes,
    suspicion: row.suspicion,
    passedMs: row.passed_ms,
  }
}
