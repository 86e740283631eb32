import type { AlertRules, AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from './grace-field.tsx'
import { type QuietHoursDraft, draftOfQuietHours, quietHoursOf } from './quiet-hours-fields.tsx'

/** The rules as they stand in the form, typed halfway too. */
export interface RulesDraft extends Omit<AlertRules, 'graceS' | 'quietHours'> {
  readonly grace: GraceDraft
  readonly quietHours: QuietHoursDraft
}

export function draftOfRules({ graceS, quietHours, ...rules }: AlertRules): RulesDraft {
  return { ...rules, grace: draftOfGrace(graceS), quietHours: draftOfQuietHours(quietHours) }
}

/** What the form changes of the rules; not judged yet. */
export function changesOf(
  { grace, quietHours, ...draft }: RulesDraft,
  rules: AlertRules,
): AlertRulesChanges {
  // What can't be seen then is not sent either.
  if (!draft.isOn) return rules.isOn ? { isOn: false } : {}
  const next = { ...draft, graceS: graceOf(grace), quietHours: quietHoursOf(quietHours) }
  return changedEntries(next, rules)
}

/** Those of which the value is another one than before. */
export function changedEntries(next: object, before: object): object {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, was.get(name))),
  )
}

/** A number that is none is another value than null, which JSON takes it for. */
function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
