import type * as v from 'valibot'
import { type OwnProblems, readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useToast } from '../../../ui/use-toast.ts'

interface RulesFormOptions<Draft, Changes> {
  readonly draft: Draft
  /** What the form changes in the rules. Not validated yet. */
  readonly changesOf: (draft: Draft) => Changes
  readonly schema: v.GenericSchema<unknown, Changes>
  readonly problemsOf?: (changes: Changes) => OwnProblems
  readonly send: (changes: Changes) => Promise<void>
  readonly saved: string
}

/** A form of alert rules. Only what has changed is sent. */
export function useRulesForm<Draft extends object, Changes extends object>(
  options: RulesFormOptions<Draft, Changes>,
) {
  const { draft, changesOf, schema, problemsOf, send, saved } = options
  const showToast = useToast()
  return useApiForm({
    values: draft,
    read: (typed) => {
      const changes = changesOf(typed)
      return isEmpty(changes) ? { body: changes } : readBy(schema, changes, problemsOf?.(changes))
    },
    send: async (changes) => {
      if (!isEmpty(changes)) await send(changes)
    },
    onSent: () => showToast({ title: saved }),
  })
}

function isEmpty(changes: object): boolean {
  return Object.keys(changes).length === 0
}

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
