import { readFileSync } from 'node:fs'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { describe, expect, test } from 'vitest'
import { hashToken } from '../../../secret-token.ts'
import { readHealthchecks } from './read-healthchecks.ts'

const text = readFileSync(new URL('testing/healthchecks.json', import.meta.url), 'utf8')
const uuid = '31365bc1-8da9-4729-8ff3-aaaaaaaaaaa1'

function checksOf(checks: readonly object[]) {
  const entries = readHealthchecks(JSON.stringify({ checks }))
  return entries.flatMap(({ becomes }) => (becomes.kind === 'check' ? [becomes] : []))
}
const cron = (schedule: string) =>
  checksOf([{ name: 'x', grace: 60, schedule, tz: 'UTC', uuid }])[0]?.target

test('what becomes of each check of the fixture', () => {
  const rows = readHealthchecks(text).map(({ name, kind, becomes, notes }) => {
    const target =
      becomes.kind === 'check' && becomes.target.kind === 'push'
        ? `${becomes.target.periodS} + ${becomes.target.graceS} s${becomes.isPaused ? ', paused' : ''}`
        : 'left out'
    return [name, kind, target, ...notes].join(' | ')
  })
  expect(rows).toMatchInlineSnapshot()
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

describe('a cron expression becomes the longest time between two runs', () => {
  const hour = 3600
  test.each([
    ['* * * * *', 60],
    ['*/5 * * * *', 300],
    ['7,9 * * * *', 58 * 60],
    ['15 5 * * *', 24 * hour],
    ['30 6 * * 1-5', 72 * hour],
    ['*/15 9-17 * * 1-5', 63.25 * hour],
    ['*/5 8-20 * * *', 11 * hour + 300],
    ['* 12 * * 3', 7 * 24 * hour - 59 * 60],
    ['0 0 */10 * *', 10 * 24 * hour],
  ])('%s', (schedule, periodS) => {
    expect(cron(schedule)).toMatchObject({ periodS })
  })

  test('beyond 30 days, the rest is time to wait', () => {
    expect(cron('0 2 1 * *')).toMatchObject({ periodS: 30 * 86_400, graceS: 86_400 + 60 })
    expect(cron('* * 1 * *')).toMatchObject({ periodS: 30 * 86_400, graceS: 120 })
  })
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
