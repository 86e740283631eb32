import { resolve } from 'node:path'
import { isPostgresUrl } from '../postgres-url.ts'
import { unfinishedCopyTable } from '../unfinished-copy.ts'
import { copiedTables, type CopiedTable } from './copied-tables.ts'
import { checkSource, checkTarget, refuseNul, refuseServer, upgradeSource } from './copy-checks.ts'
import { CommandMistaken } from '../../admin/command.ts'
import { pageLimits, quoted, type CopyEnd, type Row, type WatchedWork } from './copy-end.ts'
import { openPostgresSource, openPostgresTarget } from './postgres-end.ts'
import { openSqliteSource, openSqliteTarget } from './sqlite-end.ts'
import { TableReader } from './table-reader.ts'

/** If it is stopped, the same call goes on from there. */
interface CopyWork extends WatchedWork {
  /** Whether it may delete what people made there; undefined if the command offers no choice. */
  readonly replaces?: boolean | undefined
}

interface CopyOptions extends CopyWork {
  /** The path of a SQLite file and the address of a PostgreSQL database, either way round. */
  readonly from: string
  readonly to: string
}

export type CopyResult = Awaited<ReturnType<typeof copyStorage>>

export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers'
}

/**
 * Copies all data to an empty database, which is created if it is missing, and compares the two. It goes
 * on from where an earlier call was cut off. No server starts on the target before it is complete. The
 * source is only read, unless it is of dfe8154: then it is brought to this version first.
 * @throws CommandMistaken or CopyRefused before anything is written; CopyDiffers, AbortError, or a
 * database's own error
 */
export async function copyStorage(options: CopyOptions) {
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
export async function copyBetween(source: CopyEnd, target: CopyEnd, options: CopyWork) {
  return await new Copy(source, target, options).run()
}

class Copy {
  readonly #source: CopyEnd
  readonly #target: CopyEnd
  readonly #options: CopyWork

  constructor(source: CopyEnd, target: CopyEnd, options: CopyWork) {
    this.#source = source
    this.#target = target
    this.#options = options
  }

  async run() {
    const source = this.#source
    const target = this.#target
    const isUnfinished = await checkTarget(target, this.#options)
    if (target.kind === 'postgres') await refuseNul(source)

    await target.migrate()
    const isResumed = isUnfinished && (await this.#isPartOfSource())
    if (!isResumed) await this.#begin()
    for (const table of copiedTables) await this.#copyTable(table)
    // The comparison then finds changes since the copy began, and a server that runs on the source now.
    await source.readAnew()
    const tables = await this.#compare()
    await target.raiseHighestKeys(await source.highestKeys())
    await refuseServer(source)
    await target.finish()
    await this.#release()
    return { isResumed, tables }
  }

  /** Whether the source still has what was copied, up to the last key of each table. */
  async #isPartOfSource(): Promise<boolean> {
    for (const table of copiedTables) {
      const { source, target } = await this.#readers(table)
      const last = await target.lastKey()
      if (last !== undefined && !(await this.#digest(source, target, last)).isSame) return false
    }
    return true
  }

  /** Claims the target, and deletes what an earlier copy or a server without users left there. */
  async #begin(): Promise<void> {
    const target = this.#target
    await target.query(`create table if not exists ${unfinishedCopyTable} (source text not null)`)
    await target.query(`delete from ${unfinishedCopyTable}`)
    await target.insert(unfinishedCopyTable, ['source'], [[this.#source.name]])
    // A server that starts from here on finds that table. One that started before is found here.
    try {
      await refuseServer(target)
    } catch (error) {
      await this.#release()
      throw error
    }
    await target.clear()
    for (const { name } of copiedTables.toReversed()) {
      await target.query(`delete from ${quoted(name)}`)
    }
  }

  async #release(): Promise<void> {
    await this.#target.query(`drop table ${unfinishedCopyTable}`)
  }

  async #copyTable(table: CopiedTable): Promise<void> {
    const { source, target, label } = await this.#readers(table)
    const total = await source.count()
    const after = await target.lastKey()
    let done = await target.count()
    for await (const rows of source.pages({ after })) {
      this.#options.signal?.throwIfAborted()
      await this.#target.insert(table.name, source.columns, rows)
      done += rows.length
      await this.#options.report?.({ doing: 'Copying', label, done, total })
    }
  }

  async #compare() {
    const tables: { label: string; rows: number; checksum: string }[] = []
    const different: string[] = []
    for (const table of copiedTables) {
      const { source, target, label } = await this.#readers(table)
      const { isSame, here, there } = await this.#digest(source, target)
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
  async #digest(source: TableReader, target: TableReader, upTo?: Row) {
    const { label } = source.table
    const total = await (upTo === undefined ? source : target).count()
    let done = 0
    const [here, there] = await Promise.all([
      source.digest(upTo, (count) => {
        this.#options.signal?.throwIfAborted()
        done += count
        void this.#options.report?.({ doing: 'Comparing', label, done, total })
      }),
      target.digest(),
    ])
    return { isSame: here.checksum === there.checksum, here, there }
  }

  async #readers(table: CopiedTable) {
    const { limits = pageLimits } = this.#options
    const source = await TableReader.open(this.#source, table, limits)
    const target = await TableReader.open(this.#target, table, limits)
    if (source.columns.join() !== target.columns.join()) {
      throw new Error(
        `the columns of ${table.name} differ: a migration is not the same for both databases`,
      )
    }
    return { source, target, label: table.label }
  }
}
