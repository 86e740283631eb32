import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { migratePostgres } from '../storage/postgres-storage.ts'

/** Runs one statement on a PostgreSQL server, over a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  await readRows(url, statement)
}

/** Reads rows with one statement, over a connection of its own. */
export async function readRows(
  url: string,
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

export interface TestTemplate {
  /** A database with the schema and no rows. Each test gets a copy. */
  readonly name: string
  /** Its tables, columns and migrations, as one text. */
  readonly schema: string
}

export async function createTemplate(serverUrl: string): Promise<TestTemplate> {
  const url = await createDatabase(serverUrl)
  await migratePostgres(url)
  const name = nameOf(url)
  const schema = await emptyDatabase(url)
  // A database can't be copied while somebody is connected to it, and a pooler stays for a while.
  await runStatement(
    serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return { name, schema }
}

/** @returns the URL of a database like its template, by default without tables */
export async function createDatabase(serverUrl: string, template = 'template0'): Promise<string> {
  const name = `astropelago_test_${randomUUID().slice(0, 8)}`
  await runStatement(serverUrl, `create database ${name} template ${template}`)
  return databaseUrl(serverUrl, name)
}

/** @returns the URL of the copy */
export async function copyTemplate(serverUrl: string, template: TestTemplate): Promise<string> {
  const name = `${template.name}_${randomUUID().slice(0, 8)}`
  await runStatement(serverUrl, `create database ${name} template ${template.name}`)
  return databaseUrl(serverUrl, name)
}

/** By far the fastest way to an empty copy. A new copy writes some megabytes, and so does `truncate`. */
const emptying = `
  delete from users;
  delete from islands;
  delete from island_slugs;
  delete from relay_ports;
  delete from relay_domain_certificates;
  delete from page_chunks;
  delete from audit_log;
  delete from invites;
  delete from reports;
  delete from announcements;
  delete from installation;
  delete from followers;
  delete from neighbours;
  delete from outages;
  delete from unobserved;
  delete from alive_mark;
  delete from push_keys;
  delete from installation;
  delete from followers;
  delete from neighbours;
  delete from alert_pause;
  update warning_changes set last = 0;
  delete from writers;
  delete from heartbeat_log;
  delete from changes;
  delete from feed_messages;
  update leadership set writer = null, term = 0, expires_ms = 0, cursors = '{}', feed_number = 0,
    feed_epoch = left(md5(random()::text), 8);
  delete from presence_event_cursors;
  insert into presence_event_cursors (reader, writer, sequence) values ('log', 1, 0), ('alerts', 1, 0);
  update alert_cursors set position = 0;
  select setval(oid, 1, false) from pg_class where relkind = 'S';
  select string_agg(part, ' ' order by part) as schema from (
    select relname || '.' || attname as part
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select name from kysely_migration
  ) as parts`

/**
 * Makes a copy as empty as the template when a test no longer needs it.
 * @returns its schema, which the test may have changed
 */
export async function emptyDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const results: unknown = await client.query(emptying)
    return Array.isArray(results) ? String(results.at(-1)?.rows[0]?.schema) : ''
  } catch (error) {
    return `not to be emptied: ${String(error)}`
  } finally {
    await client.end()
  }
}

/** Drops the template and its remaining copies. */
export async function dropTestDatabases(serverUrl: string, template: TestTemplate): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where datname like $1', [
    `${template.name}%`,
  ])
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  await client.end()
}

export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await runStatement(serverUrl, `drop database if exists ${nameOf(url)} with (force)`)
}

export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}
