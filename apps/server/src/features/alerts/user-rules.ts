import {
  defaultAlertRules,
  sameRules,
  type AlertRules,
  type SubjectRules,
} from '@astropelago/contract/alert-rules'
import type { ReadyChannel } from './channels/channel.ts'
import type { AlertSubject, DueRules, Span } from './outages.ts'

export interface Subject {
  readonly of: 'device' | 'island' | 'check'
  readonly key: number
  readonly id: string
  /** Whether it is the user's. Alerts about others' islands are off unless turned on. */
  readonly isOwn: boolean
}

export interface MaintenanceRecord extends Span {
  readonly id: string
  /** IDs. Null in all means everything. */
  readonly devices: readonly string[] | null
  readonly islands: readonly string[] | null
  readonly checks: readonly string[] | null
  readonly note: string | null
}

export interface UserRules {
  readonly rules: AlertRules
  readonly differing: ReadonlyMap<string, SubjectRules>
  readonly maintenance: readonly MaintenanceRecord[]
}

export const defaultUserRules: UserRules = {
  rules: defaultAlertRules,
  differing: new Map(),
  maintenance: [],
}

export function subjectName({ of, key }: Pick<Subject, 'of' | 'key'>): string {
  return `${of} ${key}`
}

/** A subject's own rule comes before the default, but only while alerts are on at all ([N14]). */
export function isAlerted(subject: Subject, { rules, differing }: UserRules): boolean {
  const own = differing.get(subjectName(subject)) ?? sameRules
  return rules.isOn && (own.isOn ?? subject.isOwn)
}

/** The rules that apply to one subject ([N14], [N15]). */
export function rulesOfSubject(
  { of, ...parts }: Omit<Subject, 'of'> & { readonly of: Exclude<AlertSubject['of'], 'reports'> },
  user: UserRules,
) {
  const subject: Subject = { ...parts, of: of === 'warning' ? 'device' : of }
  const { rules, maintenance } = user
  const own = user.differing.get(subjectName(subject)) ?? sameRules
  const isWarning = of === 'warning'
  const dueRules: DueRules['rules'] = {
    // A device reports a warning itself, so there is nothing to wait for.
    graceS: isWarning ? 0 : (own.graceS ?? rules.graceS),
    tellsOnline: own.tellsOnline ?? rules.tellsOnline,
    repeatHours: rules.repeatHours,
  }
  return {
    isOn: isAlerted(subject, user) && (!isWarning || (own.tellsWarnings ?? rules.tellsWarnings)),
    rules: dueRules,
    channels: own.channels ?? rules.channels,
    maintenance: maintenance.filter((planned) => covers(planned, subject)),
  }
}

/** Whether a maintenance includes a subject ([N16]). */
export function covers(
  { devices, islands, checks }: Pick<MaintenanceRecord, 'devices' | 'islands' | 'checks'>,
  { of, id }: Pick<Subject, 'of' | 'id'>,
): boolean {
  if (devices === null && islands === null && checks === null) return true
  return { device: devices, island: islands, check: checks }[of]?.includes(id) === true
}

export function chooseChannels(
  ready: readonly ReadyChannel[],
  chosen: readonly string[] | null,
): readonly ReadyChannel[] {
  return chosen === null ? ready : ready.filter(({ id }) => chosen.includes(id))
}
