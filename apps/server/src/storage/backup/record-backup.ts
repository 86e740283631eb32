import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { unhurriedSettings } from '../postgres-settings.ts'

const busyMs = 5000
const actor = 'operator:console'

/** Writes a restore into the audit log of the restored data, because it replaces the earlier log. */
export function recordRestore(path: string, file: string): void {
  noteInFile(path, 'backup.restored', file)
}

/** Writes a backup into the audit log, on a connection of its own, next to running servers. */
export async function recordBackup(
  from: { readonly path: string } | { readonly databaseUrl: string },
  file: string,
): Promise<void> {
  if ('path' in from) noteInFile(from.path, 'backup.created', file)
  else await noteInPostgres(from.databaseUrl, file)
}

function noteInFile(path: string, action: string, file: string): void {
  const database = new DatabaseSync(path, { timeout: busyMs })
  try {
    database
      .prepare(
        `insert into audit_log (at_ms, actor, action, subject, outcome)
         values (?, ?, ?, ?, 'done')`,
      )
      .run(Date.now(), actor, action, `file:${file}`)
  } finally {
    database.close()
  }
}

async function noteInPostgres(databaseUrl: string, file: string): Promise<void> {
  const client = new Client(unhurriedSettings(databaseUrl))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      `insert into audit_log (at_ms, actor, action, subject, outcome)
       values ((extract(epoch from clock_timestamp()) * 1000)::bigint, $1, 'backup.created', $2, 'done')`,
      [actor, `file:${file}`],
    )
  } finally {
    await client.end()
  }
}
