import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../database-kind.ts'
import { DatabaseUnusable } from '../storage-error.ts'

/**
 * Indexes of everything public by name: public devices and listed islands. Triggers update them in the
 * transaction of each change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) await upPostgres(db)
  else await upSqlite(db)
}

/** Characters that separate words, as a space does. Apostrophes are removed, and their word stays whole. */
export const separators = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'
export const apostrophes = "'’"

interface Indexed {
  readonly table: 'devices' | 'islands'
  /** A condition in SQL on the row. */
  readonly isPublic: string
  readonly name: string
  /** Searched after the name. */
  readonly more?: string
  /** The columns whose changes affect the index. */
  readonly columns: readonly string[]
}

export const indexed: readonly Indexed[] = [
  {
    table: 'devices',
    isPublic: `thing.visibility = 'public' and thing.hidden_ms is null`,
    name: 'thing.label',
    columns: ['label', 'visibility', 'hidden_ms'],
  },
  {
    table: 'islands',
    isPublic: 'thing.published_ms is not null and thing.is_listed = 1 and thing.hidden_ms is null',
    name: 'thing.name',
    more: 'thing.tagline',
    columns: ['name', 'tagline', 'published_ms', 'is_listed', 'hidden_ms', 'user_key'],
  },
]

/**
 * The trigrams of `
 * harbor
 * lights` also find words by their first letters: each word begins with two spaces, so that one letter
 * makes a trigram. Characters that no name contains mark the beginning and the end of the name, because
 * names that begin with `lights` come before names that contain it.
 */
async function upSqlite(db: Kysely<unknown>): Promise<void> {
  for (const { table, isPublic, name, more, columns } of indexed) {
    const index = `search_${table}`
    await run(
      db,
      `create virtual table ${index} using fts5(
         text, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
    )
    const marked = `char(2, 2) || ${words(name)} || char(3)`
    const text = more === undefined ? marked : `${marked} || '  ' || ${words(more)}`
    const add = (which: string) => `
      insert into ${index} (rowid, text)
      select thing.key, ${text} from ${table} as thing
      left join users on users.key = thing.user_key
      where ${which} and ${isPublic} and users.disabled_ms is null`
    const remove = (which: string) => `delete from ${index} where rowid in (${which})`
    const isChanged = columns.map((column) => `old.${column} is not new.${column}`).join(' or ')

    await run(db, add('true'))
    await run(db, `insert into ${index} (${index}) values ('optimize')`)
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
      `create trigger ${index}_delete after delete on ${table} begin
         ${remove('old.key')};
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

/** SQL for the words of a text with two spaces between them. SQLite has no regular expressions. */
function words(text: string): string {
  const without = Array.from(apostrophes).reduce((made, char) => replaced(made, char, ''), text)
  const parted = Array.from(separators).reduce((made, char) => replaced(made, char, ' '), without)
  // In a run of spaces, the inner pairs of marks vanish and one space is left.
  return `replace(replace(replace(trim(${parted}),
    ' ', char(4, 5)), char(5, 4), ''), char(4, 5), '  ')`
}

function replaced(text: string, char: string, by: string): string {
  return `replace(${text}, ${quoted(char)}, ${quoted(by)})`
}

/**
 * Whole texts, with a space before each word: by trigrams to find a part of them, and in alphabetical order
 * to find their beginning. Single words in alphabetical order, because a tenth of all rows matches the
 * first letter or two that somebody types, and only an order gives the first of them without reading the
 * rest. `draw` is a random order, in which the first rows are a fair sample of all.
 */
async function upPostgres(db: Kysely<unknown>): Promise<void> {
  const trigrams = await trigramOperators(db)
  await run(db, foldingFunction)
  for (const { table, isPublic, name, more, columns } of indexed) {
    const index = `search_${table}`
    const text = more === undefined ? '' : ` || ' ' || search_fold(${more})`
    await run(
      db,
      `create table ${index} (
         key integer primary key references ${table} (key) on delete cascade,
         text text collate "C" not null,
         draw real not null default random()
       )`,
    )
    await run(
      db,
      `create table ${index}_words (
         word text collate "C" not null,
         key integer not null references ${index} (key) on delete cascade,
         primary key (word, key)
       )`,
    )
    await run(
      db,
      `create function ${index}_add(keys integer[]) returns void language sql as $$
         insert into ${index} (key, text)
         select thing.key, ' ' || search_fold(${name}) || chr(3)${text}
         from ${table} as thing left join users on users.key = thing.user_key
         where thing.key = any(keys) and ${isPublic} and users.disabled_ms is null;
         insert into ${index}_words (word, key)
         select distinct word, key
         from ${index}, regexp_split_to_table(text, '[ \\x03]+') as word
         where key = any(keys) and word <> '';
       $$`,
    )
    await run(db, `select ${index}_add(array(select key from ${table}))`)
    await run(db, `create index ${index}_by_text on ${index} (text)`)
    await run(db, `create index ${index}_by_draw on ${index} (draw) include (text)`)
    await run(db, `create index ${index}_words_by_key on ${index}_words (key)`)
    // Each search would read entries in the pending list one by one.
    await run(
      db,
      `create index ${index}_by_trigram on ${index} using gin (text ${trigrams}) with (fastupdate = off)`,
    )
    await keepOnPostgres(db, { table, index, columns })
  }
}

interface Kept {
  readonly table: string
  readonly index: string
  readonly columns: readonly string[]
}

async function keepOnPostgres(db: Kysely<unknown>, { table, index, columns }: Kept): Promise<void> {
  await run(
    db,
    `create function ${index}_note() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then
         perform ${index}_add(array(select key from added));
       else
         delete from ${index} where key = new.key;
         perform ${index}_add(array[new.key]);
       end if;
       return null;
     end $$`,
  )
  await run(
    db,
    `create trigger ${index}_insert after insert on ${table} referencing new table as added
     for each statement execute function ${index}_note()`,
  )
  const isChanged = columns.map((column) => `old.${column} is distinct from new.${column}`)
  await run(
    db,
    `create trigger ${index}_update after update of ${columns.join(', ')} on ${table}
     for each row when (${isChanged.join(' or ')}) execute function ${index}_note()`,
  )
  await run(
    db,
    `create function ${index}_note_owner() returns trigger language plpgsql as $$
     declare
       theirs integer[] := array(select key from ${table} where user_key = new.key);
     begin
       delete from ${index} where key = any(theirs);
       perform ${index}_add(theirs);
       return null;
     end $$`,
  )
  await run(
    db,
    `create trigger ${index}_owner after update of disabled_ms on users
     for each row when ((old.disabled_ms is null) <> (new.disabled_ms is null))
     execute function ${index}_note_owner()`,
  )
}

/**
 * The operators for a trigram index.
 * @throws DatabaseUnusable
 */
async function trigramOperators(db: Kysely<unknown>): Promise<string> {
  const schema = () =>
    sql<{ schema: string }>`
    select quote_ident(nspname) as schema from pg_extension
    join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(db)
  const { rows } = await schema()
  if (rows.length === 0) {
    try {
      await sql`create extension pg_trgm`.execute(db)
    } catch (error) {
      if (!isMissingOrForbidden(error)) throw error
      throw new DatabaseUnusable(
        'DATABASE_URL: the search needs the extension pg_trgm, which comes with PostgreSQL’s contrib ' +
          'modules. Install those where they are missing, and let somebody who may do so run ' +
          '`create extension pg_trgm` in this database once; nothing was changed',
        { cause: error },
      )
    }
  }
  const found = rows[0] ?? (await schema()).rows[0]
  return `${found?.schema ?? 'public'}.gin_trgm_ops`
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isMissingOrForbidden(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '58P01' || code === '0A000' || code === '42501'
}

const firstMark = 0x300
const lastMark = 0x36f
const lastOfPlane = 0xffff

/**
 * Removes accents, converts to lower case whatever the database's language, and separates words by one
 * space.
 */
const foldingFunction = `
  create function search_fold(name text) returns text
  language sql immutable strict parallel safe as $$
    select btrim(regexp_replace(translate(
      case when octet_length(name) = length(name) then lower(name collate "C")
      else translate(
        lower(translate(normalize(name, nfd), ${quoted(marks())}, '') collate "C"),
        ${quoted(capitals().join(''))}, ${quoted(capitals().map(inSmall).join(''))}
      ) end,
      ${quoted(separators + apostrophes)}, ${quoted(' '.repeat(separators.length))}
    ), ' +', ' ', 'g')) $$`

function marks(): string {
  return charsOf(firstMark, lastMark).join('')
}

/** All except A to Z, whose lower-case letters are as long. */
function capitals(): string[] {
  return charsOf(0x80, lastOfPlane).filter((char) => {
    const small = inSmall(char)
    return small !== char && small.length === 1
  })
}

function inSmall(char: string): string {
  return char.toLowerCase()
}

function charsOf(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  const query: RawBuilder<unknown> = sql.raw(statement)
  await query.execute(db)
}
