import { sql, type Kysely } from 'kysely'
import { isPostgres, runStatements } from '../../database-kind.ts'
import { DatabaseUnusable } from '../../storage-error.ts'

/** Everything public by name. Triggers update the indexes in the transaction of each change. */
export async function createSearchIndex(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await runStatements(db, [foldingFunction])
    await createOnPostgres(db, indexed)
  } else await createOnSqlite(db, indexed)
}

/** The same for what other installations share. */
export async function createNeighbourSearchIndex(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) await createOnPostgres(db, indexedOfNeighbours)
  else await createOnSqlite(db, indexedOfNeighbours)
}

/** Replaces the triggers of an index as dfe8154 has it. Its rows stay. */
export async function replaceSearchTriggers(db: Kysely<unknown>): Promise<void> {
  for (const { table } of indexed) {
    const index = `search_${table}`
    await runStatements(
      db,
      isPostgres(db)
        ? [`drop function ${index}_note, ${index}_note_owner cascade`]
        : ['insert', 'update', 'delete', 'owner'].map((event) => `drop trigger ${index}_${event}`),
    )
  }
  if (isPostgres(db)) await createPostgresTriggers(db, indexed)
  else await createSqliteTriggers(db, indexed)
}

/** Characters that separate words, as a space does. Apostrophes are removed, and their word stays whole. */
const separators = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'
const apostrophes = "'’"

interface Indexed {
  readonly table: 'devices' | 'islands' | 'neighbour_devices' | 'neighbour_islands'
  /** Of whom the rows are, if users own them. A disabled user’s are not indexed. */
  readonly isOwned: boolean
  readonly isPublic: string
  readonly name: string
  /** Searched after the name. */
  readonly more?: string
  readonly columns: readonly string[]
}

const indexed: readonly Indexed[] = [
  {
    table: 'devices',
    isOwned: true,
    isPublic: `named.visibility = 'public' and named.hidden_ms is null`,
    name: 'named.label',
    columns: ['label', 'visibility', 'hidden_ms'],
  },
  {
    table: 'islands',
    isOwned: true,
    isPublic: 'named.published_ms is not null and named.is_listed = 1 and named.hidden_ms is null',
    name: 'named.name',
    more: 'named.tagline',
    columns: ['name', 'tagline', 'published_ms', 'is_listed', 'hidden_ms', 'user_key'],
  },
]

const indexedOfNeighbours: readonly Indexed[] = [
  {
    table: 'neighbour_devices',
    isOwned: false,
    isPublic: 'true',
    name: 'named.label',
    columns: ['label'],
  },
  {
    table: 'neighbour_islands',
    isOwned: false,
    isPublic: 'true',
    name: 'named.name',
    more: 'named.tagline',
    columns: ['name', 'tagline'],
  },
]

function rowsOf({ table, isOwned, isPublic }: Indexed, which: string): string {
  return isOwned
    ? `${table} as named left join users on users.key = named.user_key
       where ${which} and ${isPublic} and users.disabled_ms is null`
    : `${table} as named where ${which} and ${isPublic}`
}

/**
 * Each word begins with two spaces, so that trigrams also find words by their first letter. Characters that
 * no name contains mark the beginning and the end of the name, because names that begin with the text
 * searched for come before names that contain it.
 */
async function createOnSqlite(db: Kysely<unknown>, tables: readonly Indexed[]): Promise<void> {
  await runStatements(
    db,
    tables.map(
      ({ table }) => `
        create virtual table search_${table} using fts5(
          text, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
    ),
  )
  await createSqliteTriggers(db, tables)
}

/** Its expressions are ones that older SQLite can read, so that Debian's own tools can repair a database. */
async function createSqliteTriggers(
  db: Kysely<unknown>,
  tables: readonly Indexed[],
): Promise<void> {
  for (const one of tables) {
    const { table, isOwned, name, more, columns } = one
    const index = `search_${table}`
    const add = (which: string) => `
      insert into ${index} (rowid, text)
      select key, char(2, 2) || name || char(3)${more === undefined ? '' : ` || '  ' || more`} from (
        ${withWords(`
          select named.key, ${name} as name, ${more ?? "''"} as more from ${rowsOf(one, which)}`)}
      )`
    const remove = (which: string) => `delete from ${index} where rowid in (${which})`
    const isChanged = columns.map((column) => `old.${column} is not new.${column}`).join(' or ')
    await runStatements(db, [
      `create trigger ${index}_insert after insert on ${table} begin
         ${add('named.key = new.key')};
       end`,
      `create trigger ${index}_update after update of ${columns.join(', ')} on ${table}
       when ${isChanged} begin
         ${remove('old.key')};
         ${add('named.key = new.key')};
       end`,
      `create trigger ${index}_delete after delete on ${table} begin
         ${remove('old.key')};
       end`,
    ])
    if (!isOwned) continue
    await runStatements(db, [
      `create trigger ${index}_owner after update of disabled_ms on users
       when (old.disabled_ms is null) <> (new.disabled_ms is null) begin
         ${remove(`select key from ${table} where user_key = new.key`)};
         ${add('named.user_key = new.key')};
       end`,
    ])
  }
}

/** The parser of SQLite before 3.46 has a stack of 100, which is enough for some 26 nested calls. */
const callsDeep = 12

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

/**
 * Whole texts, with a space before each word: by trigrams to find a part of them, and in alphabetical order
 * to find their beginning. Single words in alphabetical order, because a tenth of all rows matches the
 * first letter or two that somebody types, and only an order gives the first of them without reading the
 * rest. `draw` is a random order, in which the first rows are a fair sample of all.
 */
async function createOnPostgres(db: Kysely<unknown>, tables: readonly Indexed[]): Promise<void> {
  const trigrams = await trigramOperators(db)
  for (const { table } of tables) {
    const index = `search_${table}`
    await runStatements(db, [
      `create table ${index} (
         key integer primary key references ${table} (key) on delete cascade,
         text text collate "C" not null,
         draw real not null default random()
       )`,
      `create table ${index}_words (
         word text collate "C" not null,
         key integer not null references ${index} (key) on delete cascade,
         primary key (word, key)
       )`,
      `create index ${index}_by_text on ${index} (text)`,
      `create index ${index}_by_draw on ${index} (draw) include (text)`,
      `create index ${index}_words_by_key on ${index}_words (key)`,
      // Each search would read entries in the pending list one by one.
      `create index ${index}_by_trigram on ${index} using gin (text ${trigrams}) with (fastupdate = off)`,
    ])
  }
  await createPostgresTriggers(db, tables)
}

async function createPostgresTriggers(
  db: Kysely<unknown>,
  tables: readonly Indexed[],
): Promise<void> {
  for (const one of tables) {
    const { table, isOwned, name, more, columns } = one
    const index = `search_${table}`
    const text = more === undefined ? '' : ` || ' ' || search_fold(${more})`
    const isChanged = columns.map((column) => `old.${column} is distinct from new.${column}`)
    await runStatements(db, [
      `create or replace function ${index}_add(keys integer[]) returns void language sql as $$
         insert into ${index} (key, text)
         select named.key, ' ' || search_fold(${name}) || chr(3)${text}
         from ${rowsOf(one, 'named.key = any(keys)')};
         insert into ${index}_words (word, key)
         select distinct word, key
         from ${index}, regexp_split_to_table(text, '[ \\x03]+') as word
         where key = any(keys) and word <> '';
       $$`,
      `create function ${index}_changed() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then
         perform ${index}_add(array(select key from added));
       else
         delete from ${index} where key = new.key;
         perform ${index}_add(array[new.key]);
       end if;
       return null;
     end $$`,
      `create trigger ${index}_insert after insert on ${table} referencing new table as added
     for each statement execute function ${index}_changed()`,
      `create trigger ${index}_update after update of ${columns.join(', ')} on ${table}
     for each row when (${isChanged.join(' or ')}) execute function ${index}_changed()`,
    ])
    if (!isOwned) continue
    await runStatements(db, [
      `create function ${index}_owner_changed() returns trigger language plpgsql as $$
     declare
       theirs integer[] := array(select key from ${table} where user_key = new.key);
     begin
       delete from ${index} where key = any(theirs);
       perform ${index}_add(theirs);
       return null;
     end $$`,
      `create trigger ${index}_owner after update of disabled_ms on users
     for each row when ((old.disabled_ms is null) <> (new.disabled_ms is null))
     execute function ${index}_owner_changed()`,
    ])
  }
}

/** @throws DatabaseUnusable */
async function trigramOperators(db: Kysely<unknown>): Promise<string> {
  const readSchema = sql<{ schema: string }>`
    select quote_ident(nspname) as schema from pg_extension
    join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`
  let { rows } = await readSchema.execute(db)
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
    rows = (await readSchema.execute(db)).rows
  }
  return `${rows[0]?.schema ?? 'public'}.gin_trgm_ops`
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isMissingOrForbidden(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '58P01' || code === '0A000' || code === '42501'
}

const firstMark = 0x300
const lastMark = 0x36f
const lastOfPlane = 0xffff

/** Removes accents, converts to lower case in any language, and separates words by one space. */
const foldingFunction = `
  create function search_fold(name text) returns text
  language sql immutable strict parallel safe as $$
    select btrim(regexp_replace(translate(
      case when octet_length(name) = length(name) then lower(name collate "C")
      else translate(
        lower(translate(normalize(name, nfd), ${quoted(charsOf(firstMark, lastMark).join(''))}, '') collate "C"),
        ${quoted(capitals().join(''))}, ${quoted(capitals().map(inSmall).join(''))}
      ) end,
      ${quoted(separators + apostrophes)}, ${quoted(' '.repeat(separators.length))}
    ), ' +', ' ', 'g')) $$`

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
