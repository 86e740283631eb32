import type { OwnCheck } from '@astropelago/contract/checks'
import * as v from 'valibot'
import { language } from '../../language/language.ts'
import { searchMaxLength, searchText } from '../../lib/search-text.ts'
import { type CheckState, checkStates, kinds, stateOf, targetText } from './check-words.ts'

export interface ListQuery {
  readonly search: string
  readonly state: CheckState | 'all'
}

const Parameters = v.object({
  q: v.fallback(v.pipe(v.string(), v.maxLength(searchMaxLength)), ''),
  status: v.fallback(v.picklist([...checkStates, 'all']), 'all'),
})

/** Reads the query from the address. Invalid values fall back to all checks. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const { q, status } = v.parse(Parameters, Object.fromEntries(parameters))
  return { search: q, state: status }
}

/** Writes the query to the address's parameters. Defaults are omitted, and other parameters stay. */
export function withListQuery(parameters: URLSearchParams, { search, state }: ListQuery) {
  const result = new URLSearchParams(parameters)
  if (search.trim() === '') result.delete('q')
  else result.set('q', search.slice(0, searchMaxLength))
  if (state === 'all') result.delete('status')
  else result.set('status', state)
  return result
}

const names = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })

const rank = (check: OwnCheck) => checkStates.indexOf(stateOf(check))

/** The checks whose name, kind or target has the text, those first that need attention. */
export function selectChecks(
  checks: readonly OwnCheck[],
  { search, state }: ListQuery,
): readonly OwnCheck[] {
  const wanted = searchText(search.trim())
  return checks
    .filter((check) => state === 'all' || stateOf(check) === state)
    .filter(({ name, target }) =>
      [name, kinds[target.kind].name, targetText(target)].some((text) =>
        searchText(text).includes(wanted),
      ),
    )
    .toSorted((a, b) => rank(a) - rank(b) || names.compare(a.name, b.name))
}
