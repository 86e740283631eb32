import {
  CheckDetails,
  type CheckKind,
  type CheckTarget,
  type CheckVisibility,
  type DnsRecord,
  type OwnCheck,
} from '@astropelago/contract/checks'
import { labelMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { decimalNumber } from '../../lib/decimal-number.ts'
import { readBy, type Reading } from '../../lib/forms/reading.ts'
import { kinds } from './check-words.ts'
import { draftOfPeriod, type PeriodDraft, periodOf } from './period-field.tsx'

/** The fields of each kind, as the form has them. */
export const mainFields = {
  http: ['url', 'periodS'],
  tcp: ['host', 'port', 'periodS'],
  dns: ['host', 'record', 'value', 'periodS'],
  certificate: ['host', 'port', 'days', 'periodS'],
  ping: ['host', 'periodS'],
  push: ['cron', 'periodS', 'graceS'],
} as const satisfies Record<CheckKind, readonly string[]>

/** Those that hardly anybody changes. */
export const moreFields = {
  http: ['text', 'statuses', 'followsRedirects', 'timeoutS'],
  tcp: ['timeoutS'],
  dns: ['timeoutS'],
  certificate: ['timeoutS'],
  ping: ['timeoutS'],
  push: [],
} as const satisfies Record<CheckKind, readonly string[]>

export type TargetField = (typeof mainFields | typeof moreFields)[CheckKind][number]

/** A check as typed into the form. A field of a target has the name that it has in the contract. */
export interface CheckDraft {
  readonly kind: CheckKind
  readonly name: string
  readonly 'target.url': string
  readonly 'target.host': string
  readonly 'target.port': string
  readonly 'target.record': DnsRecord
  readonly 'target.value': string
  readonly 'target.text': string
  readonly 'target.statuses': string
  readonly 'target.followsRedirects': boolean
  readonly 'target.days': string
  readonly 'target.periodS': PeriodDraft
  /** When reports of a script are expected. */
  readonly schedule: 'period' | 'cron'
  readonly 'target.cron.expression': string
  readonly 'target.cron.timeZone': string
  readonly 'target.graceS': PeriodDraft
  readonly 'target.timeoutS': string
  readonly visibility: CheckVisibility
  /** Empty for none. */
  readonly island: string
  /** The own device that it runs from; empty for the server. */
  readonly device: string
}

const usual = {
  url: '',
  host: '',
  port: '',
  record: 'A' as DnsRecord,
  value: null,
  text: null,
  statuses: '200-299',
  followsRedirects: true,
  days: 14,
  periodS: 60,
  cron: undefined,
  graceS: 60,
  timeoutS: 10,
}

function draftOfTarget(target: CheckTarget | { readonly kind: 'http' }) {
  const all = { ...usual, ...target }
  return {
    kind: target.kind,
    'target.url': all.url,
    'target.host': all.host,
    'target.port': String(all.port),
    'target.record': all.record,
    'target.value': all.value ?? '',
    'target.text': all.text ?? '',
    'target.statuses': all.statuses,
    'target.followsRedirects': all.followsRedirects,
    'target.days': String(all.days),
    'target.periodS': draftOfPeriod(all.periodS),
    schedule: all.cron === undefined ? ('period' as const) : ('cron' as const),
    'target.cron.expression': all.cron?.expression ?? '',
    'target.cron.timeZone':
      all.cron?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    'target.graceS': draftOfPeriod(all.graceS),
    'target.timeoutS': String(all.timeoutS),
  }
}

export const emptyDraft: CheckDraft = {
  ...draftOfTarget({ kind: 'http' }),
  name: '',
  visibility: 'private',
  island: '',
  device: '',
}

export function draftOf({ name, target, visibility, island, device }: OwnCheck): CheckDraft {
  const draft = draftOfTarget(target)
  return { ...draft, name, visibility, island: island ?? '', device: device ?? '' }
}

/** The usual values of a kind, in fields that it shares with others. */
function usualOf(kind: CheckKind): Pick<CheckDraft, 'target.port' | 'target.periodS'> {
  return kind === 'certificate'
    ? { 'target.port': '443', 'target.periodS': draftOfPeriod(3600) }
    : { 'target.port': '', 'target.periodS': draftOfPeriod(60) }
}

/** What changes with the kind. What somebody typed stays. */
export function withKind(draft: CheckDraft, kind: CheckKind): Partial<CheckDraft> {
  const before = usualOf(draft.kind)
  const { 'target.port': port, 'target.periodS': period } = usualOf(kind)
  const hasUsualPeriod = periodOf(draft['target.periodS']) === periodOf(before['target.periodS'])
  return {
    kind,
    ...(hasUsualPeriod && { 'target.periodS': period }),
    ...(draft['target.port'] === before['target.port'] && { 'target.port': port }),
  }
}

/** What a check is called that nobody named. */
export function suggestedName(draft: CheckDraft): string {
  if (draft.kind === 'push') return ''
  const host = draft.kind === 'http' ? hostOf(draft['target.url']) : draft['target.host'].trim()
  return (host || kinds[draft.kind].name).slice(0, labelMaxLength)
}

function hostOf(url: string): string {
  return URL.parse(withScheme(url))?.host ?? ''
}

function withScheme(url: string): string {
  const trimmed = url.trim()
  return trimmed === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}

export function readDraft(draft: CheckDraft): Reading<CheckDetails> {
  const { kind, name } = draft
  const device = kind === 'push' ? '' : draft.device
  // Nobody else learns what one's own device finds.
  const isOwn = device !== ''
  const needed = new Set<string>([...mainFields[kind], kind === 'push' ? 'name' : ''])
  const missing = (field: 'name' | 'target.url' | 'target.host' | 'target.port') =>
    needed.has(field.replace('target.', '')) && draft[field].trim() === '' && t`Enter it.`
  return readBy(
    CheckDetails,
    {
      name: name.trim() || suggestedName(draft),
      target: { kind, ...targetOf(draft) },
      visibility: isOwn ? 'private' : draft.visibility,
      island: isOwn ? null : draft.island || null,
      device: device || null,
    },
    {
      device: kind === 'ping' && !isOwn && t`Choose a device.`,
      name: missing('name'),
      'target.url': missing('target.url'),
      'target.host': missing('target.host'),
      'target.port': missing('target.port'),
    },
  )
}

/** Not validated yet. */
function targetOf(draft: CheckDraft): object {
  const all = {
    url: withScheme(draft['target.url']),
    host: draft['target.host'],
    port: numberOf(draft['target.port']),
    record: draft['target.record'],
    value: draft['target.value'].trim() || null,
    text: draft['target.text'].trim() || null,
    statuses: draft['target.statuses'],
    followsRedirects: draft['target.followsRedirects'],
    days: numberOf(draft['target.days']),
    periodS: periodOf(draft['target.periodS']),
    cron:
      draft.schedule === 'cron'
        ? {
            expression: draft['target.cron.expression'],
            timeZone: draft['target.cron.timeZone'],
          }
        : undefined,
    graceS: periodOf(draft['target.graceS']),
    timeoutS: numberOf(draft['target.timeoutS']),
  }
  const names = [...mainFields[draft.kind], ...moreFields[draft.kind]]
  const named = names.map((name) => [name, all[name]] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

function numberOf(text: string): number {
  return decimalNumber(text) ?? Number.NaN
}
