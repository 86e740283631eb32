import { hash } from 'node:crypto'
import type { CheckImportEntry } from '@astropelago/contract/check-import'
import { checkImportNotes, checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportEntriesMax } from '@astropelago/contract/limits'
import { Cron } from 'croner'
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
  const { name, timeout, schedule = '', uuid, grace, status } = check
  const read = subject('monitor', timeout === undefined ? 'cron' : 'simple', name)
  const periodS = timeout ?? longestGapS(schedule)
  if (periodS === undefined) return left(read, checkImportNotes.badSchedule(schedule.slice(0, 100)))
  const found = pushTarget(periodS, grace)
  if (found === undefined) return left(read, checkImportNotes.longPeriod)
  const usesFilters = check.filter_subject || check.filter_body || check.filter_http_body
  const notes = [
    uuid === undefined ? checkImportNotes.newAddress : checkImportNotes.pushAddress,
    ...(timeout === undefined
      ? [checkImportNotes.schedule(schedule.slice(0, 100), spanText(periodS))]
      : []),
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

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A Monday before a leap day. */
const startMs = Date.UTC(2024, 0, 1)
const runsMax = 60
const monthDays = 62

/**
 * The longest time between two runs of a cron expression. It looks at 60 runs and, if they are less than
 * eight days, also from each hour and each day of a time in which the expression repeats, for what is longer
 * than an hour and a half. A run takes 0.2 ms to find.
 * @returns undefined for what is no cron expression, such as a calendar event of systemd
 */
function longestGapS(schedule: string): number | undefined {
  const cron = cronOf(schedule)
  const nextMs = (afterMs: number) => cron?.nextRun(new Date(afterMs))?.getTime() ?? Infinity
  const firstMs = nextMs(startMs)
  if (firstMs === Infinity) return undefined
  let longestMs = 0
  let lastMs = firstMs
  for (let run = 0; run < runsMax; run += 1) {
    const next = nextMs(lastMs)
    longestMs = Math.max(longestMs, next - lastMs)
    lastMs = next
  }
  if (lastMs - firstMs >= 8 * dayMs) return longestMs / 1000
  const [, hour, day, month, weekday] = schedule.trim().split(/\s+/)
  const isWeekly = day === '*' && month === '*'
  const isDaily = isWeekly && weekday === '*'
  const hours = isDaily ? (hour === '*' ? 0 : 25) : 8 * 24
  const steps = [
    ...Array.from({ length: hours }, (_, at) => at * hourMs),
    ...Array.from({ length: isWeekly ? 0 : monthDays }, (_, at) => at * dayMs),
  ]
  for (const step of steps) {
    const atMs = firstMs + step
    const end = nextMs(atMs)
    if (end - atMs < Math.max(longestMs - hourMs, hourMs / 2)) continue
    // Looks for the run before it.
    let [from, to] = [atMs - dayMs, atMs]
    while (to - from > minuteMs) {
      const middle = Math.floor((from + to) / 2 / minuteMs) * minuteMs
      if (nextMs(middle) === end) to = middle
      else from = middle
    }
    longestMs = Math.max(longestMs, end - to)
  }
  return longestMs / 1000
}

function cronOf(schedule: string): Cron | undefined {
  try {
    return new Cron(schedule, { timezone: 'UTC', mode: '5-part', paused: true })
  } catch {
    return undefined
  }
}

function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  return seconds < 3600 ? `${seconds / 60} min` : `${Math.round(seconds / 36) / 100} h`
}
