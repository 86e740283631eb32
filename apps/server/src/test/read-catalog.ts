import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../storage/database-kind.ts'

/**
 * Tables with their columns and references, indexes, triggers and functions, as texts that two databases
 * with the same schema have in common.
 */
export async function readCatalog<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await (isPostgres(db) ? ofPostgres : ofSqlite).execute(db)
  return rows.map(({ part }) => part.replaceAll(/\s+/g, ' ')).toSorted()
}

/** A check is only in the text of its table, whose columns may be in another order. */
const ofSqlite = sql<{ part: string }>`
  with tables as (select name from sqlite_master where type = 'table' and name not like 'kysely%')
  select 'column ' || json_array(
    tables.name, columns.name, columns.type, "notnull", dflt_value, pk > 0, hidden) as part
  from tables join pragma_table_xinfo(tables.name) as columns
  union all select 'reference ' || json_array(
    tables.name, "from", "table", "to", on_update, on_delete)
  from tables join pragma_foreign_key_list(tables.name)
  union all select 'key ' || json_array(tables.name, origin, (
    select group_concat(name) from pragma_index_info(indexes.name)))
  from tables join pragma_index_list(tables.name) as indexes where origin <> 'c'
  union all select 'autoincrement ' || name from sqlite_master where sql like '%autoincrement%'
  union all select replace(sql, '"', '') from sqlite_master where type = 'trigger'
    or type = 'index' and sql is not null`

const ofPostgres = sql<{ part: string }>`
  with ours as (
    select oid, relname, relkind, reloptions from pg_class
    where relnamespace = 'public'::regnamespace and relname not like 'kysely%'
  )
  select concat_ws(' ', relkind, relname, reloptions) as part from ours
  union all select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod),
    attnotnull, attidentity, attstorage, (
      select collname from pg_collation where pg_collation.oid = attcollation
    ), (
      select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum))
  from ours join pg_attribute on attrelid = ours.oid
  where relkind = 'r' and attnum > 0 and not attisdropped
  union all select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid))
  from ours join pg_constraint on conrelid = ours.oid where contype <> 'n'
  union all select pg_get_indexdef(oid) from ours where relkind = 'i'
  union all select pg_get_triggerdef(pg_trigger.oid)
  from ours join pg_trigger on tgrelid = ours.oid where not tgisinternal
  union all select pg_get_functiondef(pg_proc.oid)
  from pg_proc where pronamespace = 'public'::regnamespace and not exists (
    select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`
