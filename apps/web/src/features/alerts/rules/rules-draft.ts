import type { AlertRules, AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from './grace-field.tsx'
import { type QuietHoursDraft, draftOfQuietHours, quietHoursOf } from './quiet-hours-fields.tsx'

/** The rules in the form, possibly half typed. */
export interface RulesDraft extends Omit<AlertRules, 'graceS' | 'quietHours'> {
  readonly graceS: GraceDraft
  readonly quietHours: QuietHoursDraft
}

export function draftOfRules({ graceS, quietHours, ...rules }: AlertRules): RulesDraft {
  return { ...rules, graceS: draftOfGrace(graceS), quietHours: draftOfQuietHours(quietHours) }
}

/** What the form changes in the rules. Not validated yet. */
export function changesOf(
  { graceS, quietHours, ...draft }: RulesDraft,
  rules: AlertRules,
): AlertRulesChanges {
  // Fields that are hidden while alerts are off are not sent.
  if (!draft.isOn) return rules.isOn ? { isOn: false } : {}
  const next = { ...draft, graceS: graceOf(graceS), quietHours: quietHoursOf(quietHours) }
  return changedEntries(next, rules)
}

/** The entries whose value has changed. */
export function changedEntries(next: object, before: object): object {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, was.get(name))),
  )
}

/** JSON turns NaN into null, but here they differ. */
function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
