import type { Clock } from '../../clock.ts'
import { historyStart } from '../../history/seen-time.ts'
import type { CheckRecord, ChecksStore } from './checks-store.ts'
import { shownSince } from './present-check.ts'
import type { ReadCheckHistory } from './read-check-history.ts'

export type ShownCheck = ReturnType<typeof showCheck>

/** Public checks as everybody may see them, and users' own checks for themselves. */
export function shownChecks(parts: {
  readonly store: Pick<ChecksStore, 'find' | 'list' | 'readEvents'>
  readonly history: Pick<ReadCheckHistory, 'readTime'>
  readonly clock: Clock
}) {
  const { store } = parts
  const showIfPublic = (check: CheckRecord) => {
    const publicMs = shownSince(check)
    return publicMs === undefined ? [] : [showCheck({ ...check, publicMs }, parts)]
  }
  return {
    /** Undefined unless it is public. */
    findForEverybody: async (id: string) => {
      const check = await store.find(id)
      return check && showIfPublic(check)[0]
    },
    /** A user's public checks. */
    listShown: async (userKey: number) => (await store.list(userKey)).flatMap(showIfPublic),
    listOwn: store.list,
  }
}

function showCheck(
  { key, id, name, publicMs, state }: CheckRecord & { readonly publicMs: number },
  { store, history, clock }: Parameters<typeof shownChecks>[0],
) {
  return {
    key,
    id,
    name,
    publicMs,
    status: state?.status ?? 'unobserved',
    /** Null if that is unknown, or was before it became public. */
    sinceMs: state !== null && state.sinceMs >= publicMs ? state.sinceMs : null,
    /** Since it became public. */
    readPast: () => history.readTime(key, publicMs),
    /** Of the last 90 days since it became public, oldest first. */
    readEvents: async () => {
      const events = await store.readEvents(key, Math.max(publicMs, historyStart(clock())))
      return events.filter(({ atMs }) => atMs >= publicMs)
    },
  }
}
