import { resolve } from 'node:path'
import { isPostgresUrl } from '../postgres-url.ts'
import { unfinishedCopyTable } from '../unfinished-copy.ts'
import { copiedTables, type CopiedTable } from './copied-tables.ts'
import { checkSource, checkTarget, refuseNul, refuseServer, upgradeSource } from './copy-checks.ts'
import { CommandMistaken } from '../../admin/command.ts'
import { pageLimits, quoted, type CopyEnd, type Row, type WatchedWork } from './copy-end.ts'
import { openPostgresSource, openPostgresTarget } from './postgres-end.ts'
import { openSqliteSource, openSqliteTarget } from './sqlite-end.ts'
import { openTableReader, type TableReader } from './table-reader.ts'

interface CopyWork extends WatchedWork {
  /** Whether it may delete what people made there; undefined if the command offers no choice. */
  readonly replaces?: boolean | undefined
}

export type CopyResult = Awaited<ReturnType<typeof copyStorage>>

export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers'
}

/**
 * Copies all data between a SQLite file, by its path, and an empty PostgreSQL database, by its address,
 * and compares them. Goes on where an earlier call was cut off. Only a source of dfe8154 is written to,
 * which is upgraded first. @throws CommandMistaken, CopyRefused, before anything is written; CopyDiffers,
 * AbortError
 */
export async function copyStorage(
  options: CopyWork & { readonly from: string; readonly to: string },
) {
  const { from, to } = options
  checkCommand(from, to)
  await using source = isPostgresUrl(from)
    ? await openPostgresSource(from)
    : openSqliteSource(resolve(from))
  await upgradeSource(source)
  await checkSource(source)
  await using target = isPostgresUrl(to)
    ? await openPostgresTarget(to)
    : openSqliteTarget(resolve(to))
  return await copyBetween(source, target, options)
}

/** @throws CommandMistaken */
function checkCommand(from: string, to: string): void {
  for (const [option, text] of Object.entries({ '--from': from, '--to': to })) {
    // It may contain a password, so the message leaves it out.
    if (!/^[a-z]+:\/\//i.test(text) || isPostgresUrl(text)) continue
    throw new CommandMistaken(
      `${option}: an address must be such as postgres://user:password@host:5432/database, ` +
        'and a SQLite file a plain path such as data/astropelago.sqlite',
    )
  }
  const areFiles = !isPostgresUrl(from) && !isPostgresUrl(to)
  if (from === to || (areFiles && resolve(from) === resolve(to))) {
    throw new CommandMistaken('--from and --to are the same')
  }
  if (areFiles) {
    throw new CommandMistaken(
      'Both are files of SQLite: with the server stopped, copy the file as any other',
    )
  }
  if (isPostgresUrl(from) && isPostgresUrl(to)) {
    throw new CommandMistaken('Both are PostgreSQL: pg_dump and pg_restore move that')
  }
}

/** Does not check whether the source may be copied. @throws CopyRefused, CopyDiffers, AbortError */
export async function copyBetween(source: CopyEnd, target: CopyEnd, work: CopyWork) {
  const isUnfinished = await checkTarget(target, work)
  if (target.kind === 'postgres') await refuseNul(source)

  await target.migrate()
  const pairs = await openPairs(source, target, work)
  const isResumed = isUnfinished && (await isPartOfSource(pairs, work))
  if (!isResumed) await begin(source, target)
  for (const pair of pairs) await copyTable(pair, target, work)
  // The comparison then finds changes since the copy began, and a server that runs on the source now.
  await source.readAnew()
  const tables = await compare(pairs, work)
  await target.raiseHighestKeys(await source.highestKeys())
  await refuseServer(source)
  await target.finish()
  await release(target)
  return { isResumed, tables }
}

interface Pair {
  readonly table: CopiedTable
  readonly source: TableReader
  readonly target: TableReader
}

async function openPairs(
  source: CopyEnd,
  target: CopyEnd,
  { limits = pageLimits }: CopyWork,
): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const table of copiedTables) {
    const pair = {
      table,
      source: await openTableReader(source, table, limits),
      target: await openTableReader(target, table, limits),
    }
    if (pair.source.columns.join() !== pair.target.columns.join()) {
      throw new Error(
        `the columns of ${table.name} differ: a migration is not the same for both databases`,
      )
    }
    pairs.push(pair)
  }
  return pairs
}

async function isPartOfSource(pairs: readonly Pair[], work: CopyWork): Promise<boolean> {
  for (const pair of pairs) {
    const last = await pair.target.lastKey()
    if (last !== undefined && !(await digest(pair, work, last)).isSame) return false
  }
  return true
}

/** Claims the target, and deletes what an earlier copy or a server without users left there. */
async function begin(source: CopyEnd, target: CopyEnd): Promise<void> {
  await target.query(`create table if not exists ${unfinishedCopyTable} (source text not null)`)
  await target.query(`delete from ${unfinishedCopyTable}`)
  await target.insert(unfinishedCopyTable, ['source'], [[source.name]])
  // A server that starts from here on finds that table. One that started before is found here.
  try {
    await refuseServer(target)
  } catch (error) {
    await release(target)
    throw error
  }
  await target.clear()
  for (const { name } of copiedTables.toReversed()) {
    await target.query(`delete from ${quoted(name)}`)
  }
}

async function release(target: CopyEnd): Promise<void> {
  await target.query(`drop table ${unfinishedCopyTable}`)
}

async function copyTable(
  { table: { name, label }, source, target }: Pair,
  end: CopyEnd,
  { signal, report }: CopyWork,
): Promise<void> {
  const total = await source.count()
  const after = await target.lastKey()
  let done = await target.count()
  for await (const rows of source.pages({ after })) {
    signal?.throwIfAborted()
    await end.insert(name, source.columns, rows)
    done += rows.length
    await report?.({ doing: 'Copying', label, done, total })
  }
}

async function compare(pairs: readonly Pair[], work: CopyWork) {
  const tables: { label: string; rows: number; checksum: string }[] = []
  const different: string[] = []
  for (const pair of pairs) {
    const { label } = pair.table
    const { isSame, here, there } = await digest(pair, work)
    if (isSame) tables.push({ label, ...here })
    else different.push(`${label}: ${here.rows} there, ${there.rows} copied`)
  }
  if (different.length === 0) return tables
  throw new CopyDiffers(
    `The copy differs from the source (${different.join('; ')}). ` +
      'Run it again to copy everything anew',
  )
}

/** @param upTo the last key to read in the source; by default it reads all */
async function digest(
  { table: { label }, source, target }: Pair,
  { signal, report }: CopyWork,
  upTo?: Row,
) {
  const total = await (upTo === undefined ? source : target).count()
  let done = 0
  const [here, there] = await Promise.all([
    source.digest(upTo, (count) => {
      signal?.throwIfAborted()
      done += count
      void report?.({ doing: 'Comparing', label, done, total })
    }),
    target.digest(),
  ])
  return { isSame: here.checksum === there.checksum, here, there }
}
