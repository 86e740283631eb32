import { earlierVersion, schemaVersion, type SchemaVersion } from '../migrations.ts'
import { unfinishedCopyTable } from '../unfinished-copy.ts'
import { copiedTables, type CopiedTable } from './copied-tables.ts'
import { CopyRefused, quoted, type Column, type CopyEnd, type Row } from './copy-end.ts'

const maxListed = 1000

/** @throws CopyRefused unless it holds a community, is of this version and is not in use */
export async function checkSource(
  source: CopyEnd,
  whenOlder = 'start the server of this version on it once, which brings it up to date, stop it and try again',
): Promise<void> {
  const name = `${source.option}: ${source.name}`
  switch (await versionOf(source)) {
    case 'none':
      throw new CopyRefused(`${name} holds no data of Astropelago`)
    case 'earlier':
      throw new CopyRefused(`${name}: ${earlierVersion}`)
    case 'dfe8154':
    case 'older':
      throw new CopyRefused(`${name} is as an older version of Astropelago left it: ${whenOlder}`)
    case 'newer':
      throw new CopyRefused(`${name} is of a newer version of Astropelago: use that version`)
    case 'this':
      if (!(await source.tables()).includes(unfinishedCopyTable)) return await refuseServer(source)
      throw new CopyRefused(
        `${name} is itself the target of a move that was cut off: finish that one first`,
      )
  }
}

/** Brings a source of dfe8154 to this version. @throws CopyRefused if a server runs on it */
export async function upgradeSource(source: CopyEnd): Promise<void> {
  if ((await versionOf(source)) !== 'dfe8154') return
  await refuseServer(source)
  await source.migrate()
}

/** @returns whether an earlier copy was cut off. @throws CopyRefused if it holds other data */
export async function checkTarget(
  target: CopyEnd,
  { replaces }: { readonly replaces?: boolean | undefined } = {},
): Promise<boolean> {
  const name = `${target.option}: ${target.name}`
  const version = await versionOf(target)
  const tables = await target.tables()
  if (version === 'newer') {
    throw new CopyRefused(`${name} is of a newer version of Astropelago: use that version`)
  }
  if (version === 'earlier') throw new CopyRefused(`${name}: ${earlierVersion}`)
  if (version === 'none' && tables.length > 0) {
    const some = tables.slice(0, 5).join(', ')
    throw new CopyRefused(`${name} holds other data (${some}): name an empty database`)
  }
  await refuseServer(target)
  if (tables.includes(unfinishedCopyTable)) return true
  // Everything that people make belongs to a user. The rest is what a server records about itself.
  if (replaces !== true && tables.includes('users')) {
    const [row] = await target.query('select count(*) from users')
    if (Number(row?.[0]) > 0) {
      throw new CopyRefused(
        `${name} holds the data of a community already (users: ${String(row?.[0])}). ` +
          (replaces === undefined
            ? 'Nothing is added to it or put in its place: name an empty database'
            : 'With --force the backup takes its place, and it is gone'),
      )
    }
  }
  return false
}

export async function refuseServer(end: CopyEnd): Promise<void> {
  if (await end.isServerRunning()) {
    throw new CopyRefused(`A server is running on ${end.name}: stop it first`)
  }
}

/** PostgreSQL can't store NUL in a text. @throws CopyRefused naming each row that has one */
export async function refuseNul(source: CopyEnd): Promise<void> {
  const found: string[] = []
  let count = 0
  for (const table of copiedTables) {
    const texts = (await source.columns(table.name)).filter(({ isText }) => isText)
    for (const row of await rowsWithNul(source, table, texts)) {
      count += 1
      if (count <= maxListed) found.push(describeNul(table, texts, row))
    }
  }
  if (count === 0) return
  if (count > maxListed) found.push(`and ${count - maxListed} more`)
  throw new CopyRefused(
    `PostgreSQL keeps no text with the character NUL, and ${source.name} has some. ` +
      `Nothing was written. Mend or delete the rows first, ${count} in all:\n  ${found.join('\n  ')}`,
  )
}

async function rowsWithNul(
  source: CopyEnd,
  { name, key }: CopiedTable,
  texts: readonly Column[],
): Promise<readonly Row[]> {
  if (texts.length === 0) return []
  const hasNul = texts.map((column) => `instr(${quoted(column.name)}, char(0)) > 0`)
  const keys = key.map(quoted)
  return await source.query(
    `select ${[...keys, ...hasNul].join(', ')} from ${quoted(name)}
     where ${hasNul.join(' or ')} order by ${keys.join(', ')}`,
  )
}

function describeNul({ name, key }: CopiedTable, texts: readonly Column[], row: Row): string {
  const where = key.map((column, at) => {
    const value = row[at] ?? null
    if (value instanceof Uint8Array) return `${column} ${value.toHex()}`
    return `${column} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
  })
  const columns = texts.filter((_, at) => row[key.length + at] === 1n)
  return `${name} where ${where.join(', ')}: ${columns.map((column) => column.name).join(', ')}`
}

async function versionOf(end: CopyEnd): Promise<SchemaVersion> {
  if (!(await end.tables()).includes('kysely_migration')) return 'none'
  const rows = await end.query('select name from kysely_migration')
  return schemaVersion(new Set(rows.map(([name]) => String(name))))
}
