import type { CheckRecord, CheckSample, FoundCheck } from '../checks-store.ts'
import { serverKey, type Decision } from './quorum.ts'

const namesMax = 3
const noName = 'a location without a name'

/**
 * What locations make of what the server found: the status that the quorum says, since when, and who can't reach
 * what others reach.
 */
export function applyVotes(
  { state: before }: Pick<CheckRecord, 'state'>,
  found: FoundCheck,
  {
    decision: { status, unreachableFrom, votes },
    samples,
    nameOf,
  }: {
    readonly decision: Decision
    readonly samples: readonly CheckSample[]
    readonly nameOf: (locationKey: number) => string | null
  },
): FoundCheck {
  const all = { ...found, samples: [...found.samples, ...samples] }
  // The server alone has seen it, or nothing.
  if (votes.length < 2) return all
  const isChange = status !== (before?.status ?? 'unobserved')
  const atMs = found.state.lookedMs ?? found.state.sinceMs
  const sinceMs = isChange ? Math.max(atMs, (before?.sinceMs ?? 0) + 1) : (before?.sinceMs ?? atMs)
  const note =
    unreachableFrom.length === 0
      ? found.state.note
      : `Not reachable from ${listed(unreachableFrom.map((key) => (key === serverKey ? 'this server' : (nameOf(key) ?? noName))))}.`
  return {
    ...all,
    state: { ...found.state, status, sinceMs, note },
    event: isChange ? { atMs: sinceMs, kind: status, note } : null,
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax)
  const others = names.length - shown.length
  const parts = others === 0 ? shown : [...shown, `${others} more`]
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
