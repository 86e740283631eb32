import { readFileSync } from 'node:fs'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { expect, test } from 'vitest'
import { hashToken } from '../../../secret-token.ts'
import type { PushTarget } from '../running/judge-check.ts'
import { readHealthchecks } from './read-healthchecks.ts'

const text = readFileSync(new URL('testing/healthchecks.json', import.meta.url), 'utf8')
const uuid = '31365bc1-8da9-4729-8ff3-aaaaaaaaaaa1'

function checksOf(checks: readonly object[]) {
  const entries = readHealthchecks(JSON.stringify({ checks }))
  return entries.flatMap(({ becomes }) => (becomes.kind === 'check' ? [becomes] : []))
}
const often = ({ cron: times, periodS }: PushTarget) =>
  times === undefined ? periodS : `${times.expression} in ${times.timeZone}`
const cron = (schedule: string) =>
  checksOf([{ name: 'x', grace: 60, schedule, tz: 'UTC', uuid }])[0]?.target

test('what becomes of each check of the fixture', () => {
  const rows = readHealthchecks(text).map(({ name, kind, becomes, notes }) => {
    const target =
      becomes.kind === 'check' && becomes.target.kind === 'push'
        ? `${often(becomes.target)} + ${becomes.target.graceS} s${becomes.isPaused ? ', paused' : ''}`
        : 'left out'
    return [name, kind, target, ...notes].join(' | ')
  })
  expect(rows).toMatchInlineSnapshot(`
    [
      "Filesystem backup | simple | 3600 + 600 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Database backup | cron | 15 5 * * * in Europe/Berlin + 1200 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Weekday report | cron | 30 6 * * 1-5 in UTC + 3600 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Every ten minutes | cron | */10 * * * * in America/New_York + 60 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Office hours | cron | */15 9-17 * * 1-5 in Europe/Berlin + 300 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Monthly invoices | cron | 0 2 1 * * in Europe/Berlin + 86400 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Yearly audit | cron | 0 9 2 1 * in UTC + 86400 s | Scripts go on reporting to the same address once its host name is replaced.",
      "systemd timer | cron | left out | This schedule can’t be read: Mon..Fri *-*-* 08:00.",
      "A wrong time zone | cron | 0 4 * * * in UTC + 3600 s | Scripts go on reporting to the same address once its host name is replaced. | Its time zone is not known here, so its times are in UTC: Mars/Olympus_Mons.",
      "Paused import | simple | 86400 + 3600 s, paused | Scripts go on reporting to the same address once its host name is replaced.",
      "Never pinged | simple | 60 + 60 s | Scripts go on reporting to the same address once its host name is replaced.",
      "Half a year | simple | left out | It reports less often than every 60 days.",
      "Forty days | simple | 2592000 + 950400 s | Scripts go on reporting to the same address once its host name is replaced. | The part of its period beyond 30 days became time to wait.",
      "By e-mail | simple | 86400 + 3600 s | Scripts go on reporting to the same address once its host name is replaced. | What a report says is not searched for words, and reports can’t come by e-mail.",
      "Resumed by hand | simple | 7200 + 3600 s | Scripts go on reporting to the same address once its host name is replaced. | A report lets it go on by itself, without a press of a button.",
      " | simple | 3600 + 3600 s | Scripts go on reporting to the same address once its host name is replaced.",
      "backup | tag | left out | Checks have no tags here.",
      "fs | tag | left out | Checks have no tags here.",
      "production | tag | left out | Checks have no tags here.",
      "db | tag | left out | Checks have no tags here.",
      "reports | tag | left out | Checks have no tags here.",
      "billing | tag | left out | Checks have no tags here.",
      "staging | tag | left out | Checks have no tags here.",
      "mail | tag | left out | Checks have no tags here.",
      " | integrations | left out | This file does not say where alerts go. Add channels in the settings of your alerts.",
      " | pings | left out | What was seen before is not imported: history begins anew.",
    ]
  `)
})

test('keys that may write and keys that may only read name the same check', () => {
  const check = { name: 'Backup', grace: 60, timeout: 3600 }
  // https://github.com/healthchecks/healthchecks documents this pair as an example.
  const [written] = checksOf([{ ...check, uuid: '31365bce-8da9-4729-8ff3-aaa71d56b712' }])
  const [read] = checksOf([{ ...check, unique_key: 'a6c7b0a8a66bed0df66abfdab3c77736861703ee' }])
  expect(read?.sourceId).toBe(written?.sourceId)
  expect(read?.pushHash).toBeNull()
  const secret = '31365bce-8da9-4729-8ff3-aaa71d56b712'
  expect(written?.pushHash).toBe(Buffer.from(hashToken(secret)).toString('hex'))
  expect(JSON.stringify(written)).not.toContain(secret)
})

test('a cron expression comes over with its time zone', () => {
  expect(cron(' 30  6 * * 1-5 ')).toEqual({
    kind: 'push',
    periodS: 60,
    graceS: 60,
    cron: { expression: '30 6 * * 1-5', timeZone: 'UTC' },
  })
  expect(cron('Mon..Fri 08:00')).toBeUndefined()
})

test.each([
  ['no JSON', '{'],
  ['another list', '{"checks":[{"name":"x"}]}'],
  ['an address as an id', '{"checks":[{"name":"x","grace":1,"timeout":60,"uuid":"../x"}]}'],
  ['a negative period', `{"checks":[{"name":"x","grace":1,"timeout":-60,"uuid":"${uuid}"}]}`],
  [
    'too many checks',
    JSON.stringify({
      checks: Array.from({ length: 10_001 }, () => ({ name: 'x', grace: 1, timeout: 60, uuid })),
    }),
  ],
])('%s is refused', (_, json) => {
  expect(() => readHealthchecks(json)).toThrow(checkImportRefusals.notHealthchecks)
})
