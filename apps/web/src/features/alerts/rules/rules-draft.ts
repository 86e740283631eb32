import type { AlertRules, AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from './grace-field.tsx'
import { type QuietHoursDraft, draftOfQuietHours, quietHoursOf } from './quiet-hours-fields.tsx'

/** The rules as they stand in the form, typed halfway too. */
export interface RulesDraft extends Pick<
  AlertRules,
  'isOn' | 'tellsOnline' | 'timeZone' | 'repeatHours'
> {
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
  const changed = Object.entries(next).filter(
    ([name, value]) => !isSame(value, Object.entries(rules).find(([own]) => own === name)?.[1]),
  )
  return Object.fromEntries(changed)
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
