/**
 * Heartbeats that are not yet in the rows of their devices are among each server's changes on PostgreSQL. On
 * SQLite, and while data is moved between the two, they are in `heartbeat_log`.
 */

/** Run when a server starts. Moved heartbeats become changes of writer 0, which never runs. */
export const takeOverMovedHeartbeats = `
  with moved as (
    delete from heartbeat_log returning key, at_ms, device_keys
  ),
  gone as (
    insert into writers (writer, number, alive_ms, is_running)
    select 0, count(*), max(at_ms), false from moved having count(*) > 0
    on conflict (writer) do update set number = writers.number + excluded.number
    returning number
  )
  insert into changes (writer, number, at_ms, topic, device_keys)
  select 0, gone.number - (select count(*) from moved) + row_number() over (order by key),
    at_ms, 'heartbeats', device_keys
  from moved, gone`

const unfoldedHeartbeats = `
  select at_ms, writer, changes.number, device_keys
  from changes join writers using (writer)
  where topic = 'heartbeats' and changes.number > folded`

/** Run before data is moved away, while no server runs. */
export const laySeparateHeartbeats = `
  with unfolded as (${unfoldedHeartbeats}
  ),
  laid as (
    insert into heartbeat_log (at_ms, device_keys)
    select at_ms, device_keys from unfolded order by at_ms, writer, number
  )
  update writers set folded = number`

/** Shows the table as it would be after that, for a session that reads while servers run. */
export function separateHeartbeatsView(schema: string): string {
  return `
    create temporary view heartbeat_log as
    with unfolded as (${unfoldedHeartbeats}
    )
    select row_number() over (order by key nulls last, at_ms, writer, number) as key, at_ms, device_keys
    from (
      select key, at_ms, null::integer as writer, null::bigint as number, device_keys
      from ${schema}.heartbeat_log
      union all
      select null, at_ms, writer, number, device_keys from unfolded
    ) as separate`
}
