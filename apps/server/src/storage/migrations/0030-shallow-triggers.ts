import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'
import { apostrophes, indexed, separators } from './0015-search.ts'

/** The parser of SQLite before 3.46 has a stack of 100, which is enough for some 26 nested calls. */
const callsDeep = 12

/**
 * The triggers for the search index do the same as before, in expressions that older SQLite can read. If
 * Debian's own tools could not open a database, nobody could repair it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) return
  for (const { table, isPublic, name, more, columns } of indexed) {
    const index = `search_${table}`
    const isChanged = columns.map((column) => `old.${column} is not new.${column}`).join(' or ')
    const add = (which: string) => `
      insert into ${index} (rowid, text)
      select key, char(2, 2) || name || char(3)${more === undefined ? '' : ` || '  ' || more`} from (
        ${withWords(`
          select thing.key, ${name} as name, ${more ?? "''"} as more from ${table} as thing
          left join users on users.key = thing.user_key
          where ${which} and ${isPublic} and users.disabled_ms is null`)}
      )`
    const remove = (which: string) => `delete from ${index} where rowid in (${which})`
    for (const event of ['insert', 'update', 'owner'])
      await run(db, `drop trigger ${index}_${event}`)
    await run(
      db,
      `create trigger ${index}_insert after insert on ${table} begin
         ${add('thing.key = new.key')};
       end`,
    )
    await run(
      db,
      `create trigger ${index}_update after update of ${columns.join(', ')} on ${table}
       when ${isChanged} begin
         ${remove('old.key')};
         ${add('thing.key = new.key')};
       end`,
    )
    await run(
      db,
      `create trigger ${index}_owner after update of disabled_ms on users
       when (old.disabled_ms is null) <> (new.disabled_ms is null) begin
         ${remove(`select key from ${table} where user_key = new.key`)};
         ${add('thing.user_key = new.key')};
       end`,
    )
  }
}

/** The rows of a query with only the words of `name` and `more`, two spaces between them. */
function withWords(rows: string): string {
  const replacements = [
    ...Array.from(apostrophes, (char) => [char, ''] as const),
    ...Array.from(separators, (char) => [char, ' '] as const),
  ]
  let query = rows
  for (let from = 0; from < replacements.length; from += callsDeep) {
    const step = replacements.slice(from, from + callsDeep)
    query = inEach(query, (column) =>
      step.reduce((text, [char, by]) => `replace(${text}, ${quoted(char)}, '${by}')`, column),
    )
  }
  // In a run of spaces, the inner pairs of marks vanish and one space is left.
  return inEach(
    query,
    (column) =>
      `replace(replace(replace(trim(${column}), ' ', char(4, 5)), char(5, 4), ''), char(4, 5), '  ')`,
  )
}

function inEach(rows: string, change: (column: string) => string): string {
  return `select key, ${change('name')} as name, ${change('more')} as more from (${rows})`
}

function quoted(char: string): string {
  return `'${char.replaceAll("'", "''")}'`
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}
