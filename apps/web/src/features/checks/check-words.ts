import type { CheckKind, CheckStatus, CheckTarget } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import Clock from 'virtual:icon/clock'
import Activity from 'virtual:icon/activity'
import Globe from 'virtual:icon/globe'
import Network from 'virtual:icon/network'
import Plug from 'virtual:icon/plug'
import ShieldCheck from 'virtual:icon/shield-check'
import { atTimesText } from '../../devices/schedule-words.ts'
import { formatDecimal, formatNumber } from '../../language/format.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'
import type { StateWords } from '../../ui/history-days.ts'
import { duration } from '../../ui/history-words.ts'

interface KindWords {
  readonly name: string
  readonly about: string
  readonly Icon: IconComponent
}

export const kinds: Readonly<Record<CheckKind, KindWords>> = {
  http: {
    name: t`Website`,
    about: t`Opens an address and checks the answer.`,
    Icon: Globe,
  },
  tcp: {
    name: t`Port`,
    about: t`Connects to a port, such as that of a game or a mail server.`,
    Icon: Plug,
  },
  dns: {
    name: t`DNS record`,
    about: t`Looks up what a name points to.`,
    Icon: Network,
  },
  certificate: {
    name: t`Certificate`,
    about: t`Warns you before a certificate ends.`,
    Icon: ShieldCheck,
  },
  ping: {
    name: t`Ping`,
    about: t`Asks a machine in your network for a sign of life, from one of your devices.`,
    Icon: Activity,
  },
  push: {
    name: t`Reports by a script`,
    about: t`Expects your script, such as a backup, to report in time.`,
    Icon: Clock,
  },
}

/** 'example.org/health', without what is the same for all of its kind. Empty for scripts. */
export function targetText(target: CheckTarget): string {
  if (target.kind === 'push') return ''
  if (target.kind === 'http')
    return target.url.replace(/^https:\/\//, '').replace(/^([^/]+)\/$/, '$1')
  if (target.kind === 'tcp') return hostAndPort(target.host, target.port)
  if (target.kind === 'dns') {
    const { host, record } = target
    return t`${record} of ${host}`
  }
  if (target.kind === 'ping') return target.host
  return target.port === 443 ? target.host : hostAndPort(target.host, target.port)
}

function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

/** Periods that one can choose without typing. */
export const usualPeriods: readonly {
  readonly s: number
  readonly name: string
  readonly every: string
}[] = [
  { s: 30, name: t`30 seconds`, every: t`every 30 seconds` },
  { s: 60, name: t`1 minute`, every: t`every minute` },
  { s: 300, name: t`5 minutes`, every: t`every 5 minutes` },
  { s: 900, name: t`15 minutes`, every: t`every 15 minutes` },
  { s: 3600, name: t`1 hour`, every: t`every hour` },
  { s: 86_400, name: t`1 day`, every: t`every day` },
]

/** 'every 5 minutes', 'every 2 h 30 min' */
function everyText(periodS: number): string {
  const time = duration(periodS)
  return usualPeriods.find(({ s }) => s === periodS)?.every ?? t`every ${time}`
}

/** How often a target is looked at, or when its script reports. */
export function oftenText(target: CheckTarget): string {
  return target.kind === 'push' && target.cron !== undefined
    ? atTimesText(target.cron)
    : everyText(target.periodS)
}

/** What a check is at the moment, for its reader. */
export type CheckState = CheckStatus | 'paused'

export const checkStates = ['down', 'unobserved', 'up', 'paused'] as const

export function stateOf(check: { status: CheckStatus; isPaused?: boolean }): CheckState {
  return check.isPaused ? 'paused' : check.status
}

export const stateNames: Readonly<Record<CheckState, string>> = {
  up: t`Up`,
  down: t`Down`,
  unobserved: t`Not observed`,
  paused: t`Paused`,
}

export const checkWords: StateWords = {
  up: t`up`,
  down: t`down`,
  downHeading: t`Down`,
  upShare: (share) => t`${share} up`,
  upTime: (time) => t`Up ${time}`,
  downTime: (time, isFirst) => (isFirst ? t`Down ${time}` : t`down ${time}`),
}

/** '85 ms', '1.2 s', '5 min 12 s' */
export function tookText(ms: number): string {
  if (ms >= 60_000) return duration(ms / 1000)
  const text = ms < 1000 ? formatNumber(Math.round(ms)) : formatDecimal(ms / 1000)
  return ms < 1000 ? t`${text} ms` : t`${text} s`
}
