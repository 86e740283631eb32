import {
  defaultAlertRules,
  sameRules,
  type AlertRules,
  type ThingRules,
} from '@astropelago/contract/alert-rules'
import type { ReadyChannel } from './channels/channel.ts'
import type { DueRules, Span, Thing } from './outages.ts'

/** A device or an island, of which users may have rules of their own. */
export interface Subject {
  readonly of: 'device' | 'island'
  readonly key: number
  readonly id: string
  /** Whether it is the user's: nobody is told of others' islands who did not ask for it. */
  readonly isOwn: boolean
}

/** A time in which nothing new is told. */
export interface MaintenanceRecord extends Span {
  readonly id: string
  /** Ids; null in both: all. */
  readonly devices: readonly string[] | null
  readonly islands: readonly string[] | null
  readonly note: string | null
}

/** All that a user chose. */
export interface UserRules {
  readonly rules: AlertRules
  /** Of things where they differ, by `subjectName`. */
  readonly differing: ReadonlyMap<string, ThingRules>
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

/** Whether anything is told of it, rules of one thing before those of all ([N14]). */
export function isTold(subject: Subject, { rules, differing }: UserRules): boolean {
  const own = differing.get(subjectName(subject)) ?? sameRules
  return rules.isOn && (own.isOn ?? subject.isOwn)
}

/** What a user's rules come to for one thing ([N14], [N15]). */
export function rulesOfThing(
  { of, ...parts }: Omit<Subject, 'of'> & { readonly of: Exclude<Thing['of'], 'reports'> },
  user: UserRules,
): DueRules['rules'] & {
  readonly isOn: boolean
  readonly maintenance: readonly Span[]
  readonly channels: readonly string[] | null
} {
  const subject = { ...parts, of: of === 'island' ? 'island' : 'device' } as const
  const { rules, maintenance } = user
  const own = user.differing.get(subjectName(subject)) ?? sameRules
  const isWarning = of === 'warning'
  return {
    isOn: isTold(subject, user) && (!isWarning || (own.tellsWarnings ?? rules.tellsWarnings)),
    // A device says by itself that it warns: there is nothing to wait for.
    graceS: isWarning ? 0 : (own.graceS ?? rules.graceS),
    tellsOnline: own.tellsOnline ?? rules.tellsOnline,
    repeatHours: rules.repeatHours,
    channels: own.channels ?? rules.channels,
    maintenance: maintenance.filter((planned) => covers(planned, subject)),
  }
}

/** Whether a thing is part of a maintenance ([N16]). */
export function covers(
  { devices, islands }: Pick<MaintenanceRecord, 'devices' | 'islands'>,
  { of, id }: Pick<Subject, 'of' | 'id'>,
): boolean {
  if (devices === null && islands === null) return true
  return (of === 'island' ? islands : devices)?.includes(id) === true
}

/** Of the channels that are ready those that were chosen: where none of them is, nothing is told. */
export function chooseChannels(
  ready: readonly ReadyChannel[],
  chosen: readonly string[] | null,
): readonly ReadyChannel[] {
  return chosen === null ? ready : ready.filter(({ id }) => chosen.includes(id))
}
