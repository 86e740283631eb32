import { hash } from 'node:crypto'
import type { CheckImportEntry } from '@astropelago/contract/check-import'
import { checkImportNotes } from '@astropelago/contract/check-import-notes'
import {
  checkFailuresUntilDown,
  checkPeriodMaxS,
  checkPeriodMinS,
  checkTextMaxLength,
  checkTimeoutMaxS,
  nameMaxLength,
} from '@astropelago/contract/limits'
import { codePointLength, normalizeShortText } from '@astropelago/contract/text'
import * as v from 'valibot'
import { hashToken } from '../../../secret-token.ts'
import { checkEntry, entry, left, pushTarget, shorten, subject } from './import-entry.ts'
import { readKumaChannels } from './read-kuma-channels.ts'
import type { KumaRows } from './sql-kuma-rows.ts'

// SQLite's columns hold values of any type, and older versions of Uptime Kuma have fewer columns.
const Count = v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0)
const Text = v.fallback(v.string(), '')
const Flag = v.pipe(v.unknown(), v.transform(Boolean))
const Key = v.fallback(v.nullable(v.number()), null)

const Monitor = v.object({
  id: v.number(),
  name: v.optional(Text, ''),
  type: v.optional(Text, ''),
  active: v.optional(Flag, 1),
  parent: v.optional(Key, null),
  interval: v.fallback(v.pipe(v.number(), v.minValue(1)), 60),
  retry_interval: v.optional(Count, 0),
  maxretries: v.optional(Count, 0),
  timeout: v.fallback(v.optional(v.number(), 0), 0),
  url: v.optional(Text, ''),
  hostname: v.optional(Text, ''),
  port: v.optional(Count, 0),
  keyword: v.optional(Text, ''),
  invert_keyword: v.optional(Flag, 0),
  ignore_tls: v.optional(Flag, 0),
  upside_down: v.optional(Flag, 0),
  maxredirects: v.optional(Count, 10),
  accepted_statuscodes_json: v.fallback(
    v.pipe(v.optional(v.string(), '["200-299"]'), v.parseJson(), v.array(v.string())),
    [],
  ),
  dns_resolve_type: v.optional(Text, ''),
  dns_resolve_server: v.optional(Text, ''),
  conditions: v.optional(Text, ''),
  push_token: v.optional(Text, ''),
  method: v.optional(Text, 'GET'),
  body: v.optional(Text, ''),
  headers: v.optional(Text, ''),
  auth_method: v.optional(Text, ''),
  proxy_id: v.optional(Key, null),
  expiry_notification: v.optional(Flag, 0),
  domain_expiry_notification: v.optional(Flag, 0),
  expected_tls_alert: v.optional(Text, ''),
})
type Monitor = v.InferOutput<typeof Monitor>

const Tag = v.object({ name: Text })
const Maintenance = v.object({ title: Text, strategy: v.optional(Text, '') })
const StatusPage = v.object({ id: v.number(), title: Text, published: Flag })
const Group = v.object({ id: v.number(), weight: Count, status_page_id: Key })
const Member = v.object({ monitor_id: v.number(), group_id: v.number(), weight: Count })
const Setting = v.object({ key: v.string(), value: Text })

/** One condition: a record equals a value. Uptime Kuma joins any number of them. */
const OneValue = v.pipe(
  v.string(),
  v.parseJson(),
  v.tuple([
    v.object({
      type: v.literal('expression'),
      variable: v.literal('record'),
      operator: v.literal('equals'),
      value: v.string(),
    }),
  ]),
)

/** Shorter ones can be guessed. Uptime Kuma's own have 10 characters or, by now, 32. */
const pushToken = /^[\w-]{10,64}$/
/** Clocks and networks delay even punctual scripts. */
const pushGraceMinS = 10
const expiryDays = [7, 14, 21]

/** @param rows of a whole database */
export function readKuma(rows: KumaRows): CheckImportEntry[] {
  const settings = new Map(readAll(Setting, rows.setting).map(({ key, value }) => [key, value]))
  // Ids begin at 1 in each installation, so they need a name of their own installation.
  const installation = hash('sha256', settings.get('jwtSecret') ?? '').slice(0, 12)
  const sourceId = (id: number | string) => `kuma:${installation}:${id}`
  const monitors = readAll(Monitor, rows.monitor).toSorted(byId)
  const byKey = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  const context = {
    isPaused: (monitor: Monitor) => !isActive(monitor, byKey),
    days: certificateDays(settings.get('tlsExpiryNotifyDays')),
    watched: new Set<string>(),
    sourceId,
  }
  const checks = monitors.flatMap((monitor) => entriesOf(monitor, context))
  return [
    ...checks,
    ...readAll(Tag, rows.tag).map(({ name }) =>
      left(subject('tag', 'tag', name), checkImportNotes.tag),
    ),
    ...readKumaChannels(rows.notification),
    ...pageEntries(rows, sourceId),
    ...readAll(Maintenance, rows.maintenance).map(({ title, strategy }) =>
      left(subject('maintenance', strategy, title), checkImportNotes.maintenance),
    ),
    ...(rows.hasHeartbeats
      ? [left(subject('history', 'heartbeats', ''), checkImportNotes.heartbeats)]
      : []),
  ]
}

interface Context {
  readonly isPaused: (monitor: Monitor) => boolean
  readonly days: number
  /** Hosts and ports whose certificate is watched. */
  readonly watched: Set<string>
  readonly sourceId: (id: number | string) => string
}

function entriesOf(monitor: Monitor, context: Context): CheckImportEntry[] {
  const { type, hostname } = monitor
  const named = monitor.name.trim() === '' ? monitor.url || hostname : monitor.name
  const read = subject('monitor', type, named)
  const isPaused = context.isPaused(monitor)
  const sourceId = context.sourceId(monitor.id)
  if (type === 'group') return [left(read, checkImportNotes.group)]
  if (type === 'tailscale-ping') return [left(read, checkImportNotes.tailscalePing)]
  const found = foundBy(monitor)
  if (typeof found === 'string') return [left(read, found)]
  const { target, notes } = found
  if (target.kind === 'push') {
    const isKnown = pushToken.test(monitor.push_token)
    const note = isKnown ? checkImportNotes.pushAddress : checkImportNotes.newAddress
    const pushHash = isKnown ? Buffer.from(hashToken(monitor.push_token)).toString('hex') : null
    return [checkEntry(read, { sourceId, target, isPaused, pushHash, notes: [note, ...notes] })]
  }
  const rhythm = rhythmOf(monitor)
  const mustBeValid =
    monitor.ignore_tls && target.kind === 'http' && target.url.startsWith('https:')
  const checked = checkEntry(read, {
    sourceId,
    target: Object.assign(target, rhythm.target),
    isPaused: isPaused || mustBeValid,
    notes: [...notes, ...rhythm.notes, ...(mustBeValid ? [checkImportNotes.untrusted] : [])],
  })
  const { becomes } = checked
  if (!monitor.expiry_notification || becomes.kind !== 'check') return [checked]
  if (becomes.target.kind !== 'http' || !becomes.target.url.startsWith('https:')) return [checked]
  const { hostname: host, port } = new URL(becomes.target.url)
  const certificate = {
    kind: 'certificate',
    host,
    port: Number(port) || 443,
    days: context.days,
  } as const
  const key = `${host}:${certificate.port}`
  if (context.watched.has(key)) return [checked, left(read, checkImportNotes.sameCertificate)]
  context.watched.add(key)
  const watches = {
    // Whichever monitor asks for it first.
    sourceId: context.sourceId(`certificate:${hash('sha256', key).slice(0, 12)}`),
    target: certificate,
    isPaused: becomes.isPaused,
    notes: [],
  }
  return [checked, checkEntry(read, watches)]
}

type Target = Parameters<typeof checkEntry>[1]['target']

/** @returns why there is no such check */
function foundBy(monitor: Monitor): { target: Target; notes: readonly string[] } | string {
  const { type, hostname: host, port, keyword } = monitor
  const notes = monitor.domain_expiry_notification ? [checkImportNotes.domainExpiry] : []
  const isKnown = ['http', 'keyword', 'port', 'dns', 'ping', 'push'].includes(type)
  if (!isKnown) return checkImportNotes.noKind(type.slice(0, 64))
  if (monitor.upside_down) return checkImportNotes.upsideDown
  switch (type) {
    case 'port':
      if (!['', 'none'].includes(monitor.expected_tls_alert)) return checkImportNotes.tlsAlert
      return { target: { kind: 'tcp', host, port }, notes }
    case 'ping':
      return { target: { kind: 'ping', host }, notes }
    case 'push': {
      const waitS = monitor.maxretries * (monitor.retry_interval || monitor.interval)
      return (
        pushTarget(monitor.interval, Math.max(waitS, pushGraceMinS)) ?? checkImportNotes.longPeriod
      )
    }
    case 'dns': {
      const record = v.safeParse(
        v.picklist(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT']),
        monitor.dns_resolve_type,
      )
      if (!record.success) return checkImportNotes.dnsRecord(monitor.dns_resolve_type.slice(0, 10))
      const one = v.safeParse(OneValue, monitor.conditions)
      if (!one.success && !['', '[]'].includes(monitor.conditions))
        return checkImportNotes.conditions
      const value = one.success ? one.output[0].value : null
      const server = monitor.dns_resolve_server.slice(0, 100)
      return {
        target: { kind: 'dns', host, record: record.output, value },
        notes: server === '' ? notes : [...notes, checkImportNotes.resolver(server)],
      }
    }
    default: {
      const isKeyword = type === 'keyword'
      if (monitor.proxy_id !== null) return checkImportNotes.proxy
      if (!['', 'GET'].includes(monitor.method.toUpperCase()) || monitor.body.trim() !== '') {
        return checkImportNotes.method(monitor.method.slice(0, 10))
      }
      if (monitor.auth_method !== '' || !['', '{}'].includes(monitor.headers.trim())) {
        return checkImportNotes.signsIn
      }
      if (isKeyword && monitor.invert_keyword) return checkImportNotes.missingText
      if (isKeyword && codePointLength(keyword) > checkTextMaxLength)
        return checkImportNotes.longText
      return {
        target: {
          kind: 'http',
          url: monitor.url,
          statuses: monitor.accepted_statuscodes_json.join(', '),
          text: isKeyword ? keyword : null,
          followsRedirects: monitor.maxredirects > 0,
        },
        notes,
      }
    }
  }
}

/** How often it is looked at, and what differs from before. */
function rhythmOf({ interval, timeout, maxretries }: Monitor) {
  const periodS = Math.min(Math.max(Math.round(interval), checkPeriodMinS), checkPeriodMaxS)
  // As Uptime Kuma does where there is none.
  const wanted = timeout > 0 ? timeout : interval * 0.8
  const timeoutS = Math.min(Math.max(Math.round(wanted), 1), checkTimeoutMaxS)
  const failures = maxretries + 1
  const notes = [
    periodS !== interval && checkImportNotes.period(interval, periodS),
    Math.round(wanted) > timeoutS && checkImportNotes.timeout(Math.round(wanted), timeoutS),
    failures !== checkFailuresUntilDown && checkImportNotes.retries(failures),
  ]
  return { target: { periodS, timeoutS }, notes: notes.filter((note) => note !== false) }
}

/** Uptime Kuma stops what is below a stopped group. */
function isActive(monitor: Monitor, byKey: ReadonlyMap<number, Monitor>): boolean {
  const seen = new Set<number>()
  let one: Monitor | undefined = monitor
  while (one !== undefined && !seen.has(one.id)) {
    if (!one.active) return false
    seen.add(one.id)
    one = one.parent === null ? undefined : byKey.get(one.parent)
  }
  return true
}

/** The first of the days before the end on which Uptime Kuma tells. */
function certificateDays(setting: string | undefined): number {
  const Days = v.pipe(v.string(), v.parseJson(), v.array(v.pipe(v.number(), v.integer())))
  const days = v.safeParse(Days, setting)
  return Math.min(Math.max(1, ...(days.success ? days.output : expiryDays)), 365)
}

/** The first page that is published; there is no room for others. */
function pageEntries(rows: KumaRows, sourceId: (id: number) => string): CheckImportEntry[] {
  const pages = readAll(StatusPage, rows.status_page).toSorted(byId)
  const groups = readAll(Group, rows.group).toSorted(byWeight)
  const members = Map.groupBy(
    readAll(Member, rows.monitor_group).toSorted(byWeight),
    ({ group_id }) => group_id,
  )
  const chosen = pages.find(({ published }) => published)
  return pages.map((page) => {
    const read = subject('status-page', page.published ? 'published' : 'draft', page.title)
    const title = normalizeShortText(page.title)
    if (page !== chosen || !title) return left(read, checkImportNotes.onePage)
    const ofPage = groups.filter(({ status_page_id }) => status_page_id === page.id)
    // Nothing says that ids are there once.
    const sourceIds = [...new Set(ofPage.map(({ id }) => id))]
      .flatMap((id) => members.get(id) ?? [])
      .map(({ monitor_id }) => sourceId(monitor_id))
    return entry(read, [checkImportNotes.pageOff], {
      kind: 'status-page',
      title: shorten(title, nameMaxLength),
      sourceIds,
    })
  })
}

/** Rows that don't fit are no rows of Uptime Kuma. */
function readAll<S extends v.GenericSchema>(
  schema: S,
  rows: readonly unknown[],
): v.InferOutput<S>[] {
  return rows.flatMap((row) => {
    const parsed = v.safeParse(schema, row)
    return parsed.success ? [parsed.output] : []
  })
}

function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id
}

function byWeight(a: { readonly weight: number }, b: { readonly weight: number }): number {
  return a.weight - b.weight
}
