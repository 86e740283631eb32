import type {
  AlertRules,
  SubjectRules,
  SubjectRulesChanges,
} from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from '../rules/grace-field.tsx'
import { changedEntries } from '../rules/rules-draft.ts'

/** The rules of one thing as they stand in the form, typed halfway too. */
export interface ThingDraft extends Omit<SubjectRules, 'graceS'> {
  readonly grace: GraceDraft
}

export function draftOfThing({ graceS, ...rules }: SubjectRules): ThingDraft {
  return { ...rules, grace: draftOfGrace(graceS) }
}

/** What the form changes of the rules; not judged yet. */
export function thingChangesOf(
  { grace, ...draft }: ThingDraft,
  rules: SubjectRules,
  account: AlertRules,
): SubjectRulesChanges {
  // What can't be seen then is not sent either.
  if (!(draft.isOn ?? account.isOn)) return changedEntries({ isOn: draft.isOn }, rules)
  return changedEntries({ ...draft, graceS: graceOf(grace) }, rules)
}
