import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportEntriesMax } from '@astropelago/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { readKuma } from './read-kuma.ts'
import { readKumaRows } from './sql-kuma-rows.ts'
import { kumaDatabase } from './testing/kuma-database.ts'

const checksOf = (file: string | Uint8Array) =>
  readKuma(readKumaRows(file)).flatMap(({ becomes }) => (becomes.kind === 'check' ? [becomes] : []))

const many = (select: string) => `
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= ${checkImportEntriesMax})
  ${select} from numbers`

test('a database is read the same from its bytes and from its file, in any journal mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kuma-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bytes = kumaDatabase()
  const expected = checksOf(Buffer.from(bytes))
  expect(expected.length).toBeGreaterThan(50)
  const logging = Buffer.from(bytes)
  // As Uptime Kuma leaves it: with a write-ahead log.
  logging.fill(2, 18, 20)
  const file = join(folder, 'kuma.db')
  writeFileSync(file, logging)
  expect(checksOf(file)).toEqual(expected)
  expect(readdirSync(folder)).toEqual(['kuma.db'])
  expect(checksOf(logging)).toEqual(expected)
})

test('a database of an older version, with fewer columns and tables, is read too', () => {
  const bytes = kumaDatabase(
    'alter table monitor drop column conditions',
    'alter table monitor drop column expected_tls_alert',
    'alter table monitor drop column domain_expiry_notification',
    'drop table maintenance',
    'drop table monitor_tag',
    'drop table tag',
  )
  expect(checksOf(bytes).length).toBeGreaterThan(50)
})

const [start, rest] = [kumaDatabase().subarray(0, 4096), kumaDatabase().subarray(8192, 12_288)]

test.each([
  ['nothing', Buffer.alloc(0), 'notKuma'],
  ['text', Buffer.from('SQLite, but not really'), 'notKuma'],
  ['a database of another program', kumaDatabase('drop table heartbeat'), 'notKuma'],
  ['the beginning of a database', start, 'damaged'],
  ['pages in the wrong places', Buffer.concat([start, start, rest]), 'damaged'],
  [
    'a view',
    kumaDatabase('alter table monitor rename to m', 'create view monitor as select * from m'),
    'notKuma',
  ],
  [
    'a virtual table',
    kumaDatabase('drop table monitor', 'create virtual table monitor using fts5 (id, name)'),
    'notKuma',
  ],
  [
    'too many monitors',
    kumaDatabase(`insert into monitor (name, type) ${many("select n, 'http'")}`),
    'tooMuch',
  ],
  [
    'a number that is none',
    kumaDatabase('update monitor set port = 9223372036854775807'),
    'damaged',
  ],
] as const)('of %s nothing is read', (_, bytes, why) => {
  expect(() => readKumaRows(bytes)).toThrow(checkImportRefusals[why])
})

test('nothing of a file’s own runs', () => {
  const bomb = `(select count(*) from (${many('select n')}) a, (${many('select n')}) b)`
  const bytes = kumaDatabase(
    'alter table monitor drop column keyword',
    'alter table monitor add column keyword text generated always as (hex(zeroblob(400000000))) virtual',
    `create trigger spring after insert on monitor begin select ${bomb}; end`,
    `create view tempting as select ${bomb} as n`,
  )
  const startMs = performance.now()
  expect(checksOf(bytes).length).toBeGreaterThan(50)
  expect(performance.now() - startMs).toBeLessThan(2000)
})

test('values of other types than their columns’ are no rows, or what a missing value is', () => {
  const bytes = kumaDatabase(
    `update monitor set maxretries = 'many', timeout = x'00', accepted_statuscodes_json = '{', parent = 'x'`,
    `update notification set config = '['`,
    `update status_page set id = id, title = x'ff'`,
    'update monitor set parent = id where id = 5',
  )
  expect(readKuma(readKumaRows(bytes)).length).toBeGreaterThan(100)
})
