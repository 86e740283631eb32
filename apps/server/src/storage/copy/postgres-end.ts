import { Client, DatabaseError, types } from 'pg'
import { migratePostgres } from '../postgres-storage.ts'
import { unhurriedSettings } from '../postgres-settings.ts'
import { copyLock } from '../locks.ts'
import { laySeparateHeartbeats, separateHeartbeatsView } from '../moved-heartbeats.ts'
import { databaseNow } from '../postgres-instance.ts'
import { postgresPlace } from '../postgres-url.ts'
import { copiedTables } from './copied-tables.ts'
import { CopyRefused, quoted, type CopyEnd, type Row, type Value } from './copy-end.ts'

const { INT2, INT4, INT8, NUMERIC } = types.builtins
const integers: ReadonlySet<number> = new Set([INT2, INT4, INT8, NUMERIC])
const bytea: number = types.builtins.BYTEA

const handOverMs = 2000
/** Servers give a sign of life each second. One that was killed can't record that it ended. */
const aliveMs = 5000
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const lockNotAvailable = '55P03'

/** Overrides what a role or a database may set: a copy may take long, and it is exact. */
const settings = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'synchronous_commit = on',
  'extra_float_digits = 1',
]
const setFor = (scope: 'session' | 'local') =>
  settings.map((setting) => `set ${scope} ${setting}`).join('; ')

const beginReading = 'begin isolation level repeatable read read only'

/** Reads as of one moment. @throws CopyRefused */
export async function openPostgresSource(url: string): Promise<CopyEnd> {
  const end = await open(url, '--from', async (client) => {
    await beginSession(client)
    const { rows } = await client.query(`select to_regclass('changes') is not null as is_there`)
    if (rows[0]?.is_there === true && !(await isServerRunningOn(client))) {
      await client.query(laySeparateHeartbeats)
    }
    await client.query(beginReading)
  })
  return {
    ...end,
    migrate: async () => {
      await end.query('commit')
      await end.migrate()
      await end.query(laySeparateHeartbeats)
      await end.query(beginReading)
    },
  }
}

/**
 * As of one moment, while servers run, with their unfolded heartbeats as `heartbeat_log`. @throws
 * CopyRefused
 */
export async function openPostgresSnapshot(url: string): Promise<CopyEnd> {
  const end = await open(url, 'DATABASE_URL', async (client) => {
    // The view ends with the transaction, because a pooler hands this session on to servers.
    await client.query('begin isolation level repeatable read')
    await client.query(setFor('local'))
    const { rows } = await client.query<{ schema: string }>(
      `select quote_ident(current_schema()) as schema where to_regclass('changes') is not null`,
    )
    // A session's own view hides the table of that name.
    for (const { schema } of rows) await client.query(separateHeartbeatsView(schema))
    await client.query('set transaction read only')
  })
  return { ...end, isServerRunning: async () => false, readAnew: async () => undefined }
}

export async function openPostgresTarget(url: string, option = '--to'): Promise<CopyEnd> {
  return await open(url, option, async (client) => {
    await beginSession(client)
    // The session of a copy that was killed ends a moment later.
    await client.query(`set lock_timeout = '${handOverMs}ms'`)
    try {
      await client.query(`select pg_advisory_lock(${copyLock})`)
    } catch (error) {
      const isHeld = error instanceof DatabaseError && error.code === lockNotAvailable
      if (!isHeld) throw error
      throw new CopyRefused(`Another move into ${postgresPlace(url)} is under way`, {
        cause: error,
      })
    }
    await client.query('set lock_timeout = 0')
  })
}

async function open(
  url: string,
  option: string,
  prepare: (client: Client) => Promise<void>,
): Promise<CopyEnd> {
  const client = new Client({
    ...unhurriedSettings(url),
    application_name: 'astropelago copy',
    types: { getTypeParser: typeParser },
    keepAlive: true,
  })
  // The next query gets the error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepare(client)
    return postgresEnd(url, option, client)
  } catch (error) {
    client.end().catch(() => undefined)
    if (error instanceof CopyRefused) throw error
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer'
    throw new CopyRefused(`${option}: ${postgresPlace(url)} can’t be used: ${reason}`, {
      cause: error,
    })
  }
}

/** A pooler would hand the session's settings and locks on. The process id that it reports is made up. */
async function beginSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: bigint }>('select pg_backend_pid() as pid')
  const reported: unknown = Reflect.get(client, 'processID')
  if (rows[0]?.pid !== BigInt(Number(reported))) {
    throw new Error('it is behind a pooler; connect to PostgreSQL itself')
  }
  await client.query(setFor('session'))
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (integers.has(oid)) return BigInt
  const parse = types.getTypeParser(oid, format)
  return oid === bytea ? (value: string) => new Uint8Array(parse(value)) : parse
}

function postgresEnd(url: string, option: string, client: Client): CopyEnd {
  const query = async (text: string, values: Row = []): Promise<readonly Row[]> => {
    const { rows } = await client.query<Value[]>({ text, values: [...values], rowMode: 'array' })
    return rows
  }
  const columns = async (table: string) =>
    await query(
      `select column_name::text, (data_type = 'text')::integer, (collation_name is distinct from 'C')::integer
       from information_schema.columns
       where table_schema = current_schema() and table_name = $1
       order by column_name collate "C"`,
      [table],
    )

  return {
    kind: 'postgres',
    option,
    name: postgresPlace(url),
    query,
    page: async ({ table, columns: all, where, parameters, order, size, limits }) => {
      const names = all.map(quoted).join(', ')
      const page = `select ${names} from ${quoted(table)} where ${where} order by ${order} limit ${limits.rows}`
      if (size === undefined) return await query(page, parameters)
      // Large values are stored apart from their rows. Adding up their sizes does not read them.
      return await query(
        `select ${names} from (
           select *, sum(${size}) over (order by ${order} rows unbounded preceding) - ${size} as bytes_before
           from (${page}) as page
         ) as sized
         where bytes_before < ${limits.bytes} order by ${order}`,
        parameters,
      )
    },
    insert: async (table, names, rows) => {
      const list = names.map(quoted).join(', ')
      const recordOf = (row: Row) =>
        Object.fromEntries(names.map((name, at) => [name, jsonValue(row[at])]))
      // The text is the same for any number of rows. The types are those of the table.
      await query(
        `insert into ${quoted(table)} (${list})
         select ${list} from json_populate_recordset(null::${quoted(table)}, $1)`,
        [JSON.stringify(rows.map(recordOf))],
      )
    },
    clear: async () => {
      await query('delete from changes')
      await query('delete from writers')
      await query('delete from feed_messages')
      // Readers with an earlier position have to load everything again.
      await query(`update leadership set cursors = '{}', feed_epoch = left(md5(random()::text), 8)`)
    },
    tables: async () => {
      const rows = await query(
        `select relname::text from pg_class
         where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
           and not exists (
             select from pg_depend
             where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
           )
         order by relname`,
      )
      return rows.map(([name]) => String(name))
    },
    columns: async (table) =>
      (await columns(table)).map(([name, isText, isSortedOtherwise]) => ({
        name: String(name),
        isText: isText === 1n,
        // If the column sorts that way itself, its index can be used.
        sortedBy:
          isText === 1n && isSortedOtherwise === 1n
            ? `${quoted(String(name))} collate "C"`
            : quoted(String(name)),
      })),
    highestKeys: async () => {
      const keys = new Map<string, bigint>()
      for (const { table, sequence } of await identities(query)) {
        const [row] = await query(`select last_value from ${sequence} where is_called`)
        if (row !== undefined) keys.set(table, BigInt(String(row[0])))
      }
      return keys
    },
    raiseHighestKeys: async (keys) => {
      for (const { table, column, sequence } of await identities(query)) {
        await query(
          `select setval($1::regclass, greatest(highest, 1), highest > 0)
           from (
             select greatest(
               $2::bigint,
               (select max(${quoted(column)}) from ${quoted(table)}),
               (select last_value from ${sequence} where is_called)
             ) as highest
           ) as keys`,
          [sequence, keys.get(table) ?? 0n],
        )
      }
    },
    isServerRunning: () => isServerRunningOn(client),
    readAnew: async () => {
      await query('commit')
      await query(beginReading)
    },
    migrate: () => migratePostgres(url),
    finish: async () => {
      await query(`analyze ${copiedTables.map(({ name }) => quoted(name)).join(', ')}`)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function isServerRunningOn(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query(`select to_regclass('writers') as writers`)
  if (tables[0]?.writers === null) return false
  const { rows } = await client.query(
    `select exists (
       select from writers where is_running and alive_ms > ${databaseNow} - ${aliveMs}
     ) as is_running`,
  )
  return rows[0]?.is_running === true
}

async function identities(query: CopyEnd['query']) {
  const rows = await query(
    `select table_name::text, column_name::text,
       pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name)
     from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  )
  return rows.map(([table, column, sequence]) => ({
    table: String(table),
    column: String(column),
    sequence: String(sequence),
  }))
}

/** Values that JSON can't express become text that PostgreSQL can read. */
function jsonValue(value: Value | undefined): string | number | null {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `\\x${value.toHex()}`
  return value ?? null
}
