import type { ThingRules, ThingRulesChanges } from '@astropelago/contract/alert-rules'
import { type GraceDraft, draftOfGrace, graceOf } from '../rules/grace-field.tsx'
import { changedEntries } from '../rules/rules-draft.ts'

/** The rules of one thing as they stand in the form, typed halfway too. */
export interface ThingDraft extends Omit<ThingRules, 'graceS'> {
  readonly grace: GraceDraft
}

export function draftOfThing({ graceS, ...rules }: ThingRules): ThingDraft {
  return { ...rules, grace: draftOfGrace(graceS) }
}

/** What the form changes of the rules; not judged yet. */
export function thingChangesOf(
  { grace, ...draft }: ThingDraft,
  rules: ThingRules,
): ThingRulesChanges {
  return changedEntries({ ...draft, graceS: graceOf(grace) }, rules)
}
