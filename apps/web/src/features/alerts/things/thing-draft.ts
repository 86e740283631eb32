import type {
  AlertRules,
  SubjectRules,
  SubjectRulesChanges,
} from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from '../rules/grace-field.tsx'
import { changedEntries } from '../rules/rules-draft.ts'

/** A subject's rules in the form, possibly half typed. */
export interface ThingDraft extends Omit<SubjectRules, 'graceS'> {
  readonly graceS: GraceDraft
}

export function draftOfThing({ graceS, ...rules }: SubjectRules): ThingDraft {
  return { ...rules, graceS: draftOfGrace(graceS) }
}

/** What the form changes in the rules. Not validated yet. */
export function thingChangesOf(
  { graceS, ...draft }: ThingDraft,
  rules: SubjectRules,
  account: AlertRules,
): SubjectRulesChanges {
  // Fields that are hidden while alerts are off are not sent.
  if (!(draft.isOn ?? account.isOn)) return changedEntries({ isOn: draft.isOn }, rules)
  return changedEntries({ ...draft, graceS: graceOf(graceS) }, rules)
}
