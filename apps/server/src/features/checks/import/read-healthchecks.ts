import { hash } from 'node:crypto'
import type { CheckImportEntry } from '@astropelago/contract/check-import'
import { checkImportNotes, checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { CronExpression } from '@astropelago/contract/device-schedules'
import { checkImportEntriesMax, pushPeriodMaxS } from '@astropelago/contract/limits'
import { TimeZone } from '@astropelago/contract/time-zone'
import * as v from 'valibot'
import { hashToken } from '../../../secret-token.ts'
import { checkEntry, left, pushTarget, subject } from './import-entry.ts'
import { ImportRefused } from './import-refused.ts'

const Uuid = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
)

/** Of `GET /api/v3/checks/`. A read-only key gets `unique_key` instead of `uuid`. */
const Check = v.pipe(
  v.object({
    name: v.string(),
    tags: v.optional(v.string(), ''),
    status: v.optional(v.string(), ''),
    grace: v.pipe(v.number(), v.minValue(0)),
    timeout: v.optional(v.pipe(v.number(), v.minValue(1))),
    schedule: v.optional(v.string()),
    tz: v.optional(v.string(), 'UTC'),
    uuid: v.optional(Uuid),
    unique_key: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))),
    channels: v.optional(v.string(), ''),
    manual_resume: v.optional(v.boolean(), false),
    filter_subject: v.optional(v.boolean(), false),
    filter_body: v.optional(v.boolean(), false),
    filter_http_body: v.optional(v.boolean(), false),
  }),
  v.check(({ uuid, unique_key }) => (uuid ?? unique_key) !== undefined),
)
type Check = v.InferOutput<typeof Check>

const List = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ checks: v.pipe(v.array(Check), v.maxLength(checkImportEntriesMax / 2)) }),
)

/** @throws ImportRefused */
export function readHealthchecks(text: string): CheckImportEntry[] {
  const parsed = v.safeParse(List, text)
  if (!parsed.success) throw new ImportRefused(checkImportRefusals.notHealthchecks)
  const { checks } = parsed.output
  const tags = tagsOf(checks)
  const hasChannels = checks.some(({ channels }) => channels !== '')
  return [
    ...checks.map(entryOf),
    ...Array.from(tags, (tag) => left(subject('tag', 'tag', tag), checkImportNotes.tag)),
    ...(hasChannels
      ? [left(subject('channel', 'integrations', ''), checkImportNotes.integrations)]
      : []),
    left(subject('history', 'pings', ''), checkImportNotes.heartbeats),
  ]
}

/** @throws ImportRefused */
function tagsOf(checks: readonly Check[]): ReadonlySet<string> {
  const tags = new Set<string>()
  for (const { tags: typed } of checks) {
    for (const tag of typed.split(' ', checkImportEntriesMax)) if (tag !== '') tags.add(tag)
    if (tags.size > checkImportEntriesMax / 2) throw new ImportRefused(checkImportRefusals.tooMuch)
  }
  return tags
}

function entryOf(check: Check): CheckImportEntry {
  const { name, timeout, uuid, grace, status } = check
  const read = subject('monitor', timeout === undefined ? 'cron' : 'simple', name)
  const found = timeout === undefined ? cronTarget(check) : periodTarget(timeout, grace)
  if (typeof found === 'string') return left(read, found)
  const usesFilters = check.filter_subject || check.filter_body || check.filter_http_body
  const notes = [
    uuid === undefined ? checkImportNotes.newAddress : checkImportNotes.pushAddress,
    ...found.notes,
    ...(usesFilters ? [checkImportNotes.filters] : []),
    ...(check.manual_resume ? [checkImportNotes.manualResume] : []),
  ]
  return checkEntry(read, {
    // Both kinds of keys give the same, and neither gives the secret away.
    sourceId: `healthchecks:${check.unique_key ?? uniqueKeyOf(uuid ?? '')}`,
    target: found.target,
    isPaused: status === 'paused',
    pushHash: uuid === undefined ? null : Buffer.from(hashToken(uuid)).toString('hex'),
    notes,
  })
}

/** As Healthchecks makes its `unique_key`. */
function uniqueKeyOf(uuid: string): string {
  return hash('sha1', uuid.replaceAll('-', '').slice(0, 16))
}

function periodTarget(timeout: number, grace: number) {
  return pushTarget(timeout, grace) ?? checkImportNotes.longPeriod
}

/** @returns a note if it is no cron expression here, such as a calendar event of systemd */
function cronTarget({ schedule = '', tz, grace }: Check) {
  const zone = v.safeParse(TimeZone, tz)
  const cron = v.safeParse(CronExpression, schedule)
  if (!cron.success) return checkImportNotes.badSchedule(schedule.slice(0, 100))
  const target = {
    kind: 'push' as const,
    cron: { expression: cron.output, timeZone: zone.success ? zone.output : 'UTC' },
    graceS: Math.min(Math.round(grace), pushPeriodMaxS),
  }
  return { target, notes: zone.success ? [] : [checkImportNotes.timeZone(tz.slice(0, 100))] }
}
