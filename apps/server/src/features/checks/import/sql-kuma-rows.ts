import { closeSync, openSync, readSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportEntriesMax } from '@astropelago/contract/limits'
import { ImportRefused } from './import-refused.ts'

/** What is read of Uptime Kuma's database. Older versions lack some of the columns. */
const columnsOf = {
  monitor: `id name type active parent interval retry_interval maxretries timeout url hostname port keyword
    invert_keyword ignore_tls upside_down maxredirects accepted_statuscodes_json dns_resolve_type
    dns_resolve_server conditions push_token method body headers auth_method proxy_id expiry_notification
    domain_expiry_notification expected_tls_alert`,
  tag: 'id name',
  notification: 'id name active config',
  status_page: 'id title published',
  group: 'id weight status_page_id',
  monitor_group: 'id monitor_id group_id weight',
  maintenance: 'id title strategy',
  setting: 'id key value',
} as const

type Table = keyof typeof columnsOf

export type KumaRows = Readonly<Record<Table, readonly Readonly<Record<string, unknown>>[]>> & {
  readonly hasHeartbeats: boolean
}

const magic = 'SQLite format 3\0'
/** Where the header says that changes wait in a file beside it (https://www.sqlite.org/fileformat.html). */
const journalVersions = [18, 19]

/** @param file its path, or its bytes, which are changed. @throws ImportRefused */
export function readKumaRows(file: string | Uint8Array): KumaRows {
  let database: DatabaseSync | undefined
  try {
    database = open(file)
    return readRows(database)
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    throw new ImportRefused(checkImportRefusals.damaged, { cause: error })
  } finally {
    database?.close()
  }
}

/** As https://www.sqlite.org/security.html advises for files of strangers. */
function open(file: string | Uint8Array): DatabaseSync {
  const start = typeof file === 'string' ? readStart(file) : file.subarray(0, magic.length)
  if (Buffer.from(start).toString('latin1') !== magic) {
    throw new ImportRefused(checkImportRefusals.notKuma)
  }
  let database: DatabaseSync
  if (typeof file === 'string') {
    const url = pathToFileURL(file)
    // Otherwise a database with a write-ahead log needs a folder that can be written to.
    url.searchParams.set('immutable', '1')
    database = new DatabaseSync(url, { readOnly: true })
  } else {
    for (const at of journalVersions) file[at] = 1
    database = new DatabaseSync(':memory:')
    database.deserialize(file)
  }
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on')
  // Nothing of the file's own runs: no views, triggers, functions or virtual tables.
  const allowed = new Set<number>([
    constants.SQLITE_SELECT,
    constants.SQLITE_READ,
    constants.SQLITE_PRAGMA,
  ])
  database.setAuthorizer((action) =>
    allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY,
  )
  return database
}

function readStart(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(magic.length)
    return start.subarray(0, readSync(file, start))
  } finally {
    closeSync(file)
  }
}

function readRows(database: DatabaseSync): KumaRows {
  const schema = database.prepare('select type, name, sql from sqlite_schema').all()
  const plainTables = new Set(
    schema
      .filter(({ type, sql }) => type === 'table' && /^create table\b/i.test(String(sql)))
      .map(({ name }) => name),
  )
  if (!plainTables.has('monitor') || !plainTables.has('heartbeat')) {
    throw new ImportRefused(checkImportRefusals.notKuma)
  }
  const read = (table: Table) => {
    if (!plainTables.has(table)) return []
    // Without generated columns, which could compute anything.
    const columns = database.prepare('select name from pragma_table_info(?)').all(table)
    const known = new Set(columns.map(({ name }) => name))
    const chosen = columnsOf[table].split(/\s+/).filter((name) => known.has(name))
    if (!known.has('id')) throw new ImportRefused(checkImportRefusals.notKuma)
    const names = chosen.map((name) => `"${name}"`).join(', ')
    const rows = database
      .prepare(`select ${names} from "${table}" limit ${checkImportEntriesMax + 1}`)
      .all()
    if (rows.length > checkImportEntriesMax) throw new ImportRefused(checkImportRefusals.tooMuch)
    return rows
  }
  return {
    monitor: read('monitor'),
    tag: read('tag'),
    notification: read('notification'),
    status_page: read('status_page'),
    group: read('group'),
    monitor_group: read('monitor_group'),
    maintenance: read('maintenance'),
    setting: read('setting'),
    hasHeartbeats: database.prepare('select 1 from heartbeat limit 1').get() !== undefined,
  }
}
