import type { CheckStatus } from '@astropelago/contract/checks'
import type { FoundCheck } from '../features/checks/checks-store.ts'

/** What a look found that changed a check's status. */
export function foundCheck(
  checkKey: number,
  kind: CheckStatus,
  { atMs, note = null }: { readonly atMs: number; readonly note?: string | null },
): FoundCheck {
  const looked = { lookedMs: atMs, startedMs: null, dueMs: null, tookMs: 250, failures: 0 }
  const state = { status: kind, sinceMs: atMs, note, ...looked }
  return { checkKey, state, event: { atMs, kind, note }, samples: [] }
}
